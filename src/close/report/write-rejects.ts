import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { isRejectColumn, REJECT_COLUMNS, rejectPlaces } from '../sales/files/reject-columns.ts';
import type { SetAside } from '../sales/sale.ts';

/** The rejected records of one input, with what is needed to write them in the input's own format. */
export type Rejects = {
  readonly channel: string;
  readonly path: string;
  readonly sha256: string;
  readonly header: readonly string[];
  readonly records: readonly SetAside[];
};

/** A set-aside record with the channel it came from. */
export type ChannelSetAside = SetAside & { readonly channel: string };

/** Selects the records of one input. */
export const recordsOf = (
  rejected: readonly ChannelSetAside[],
  channel: string,
  path: string,
): readonly ChannelSetAside[] =>
  rejected.filter((record) => record.channel === channel && record.origin.file === path);

/**
 * Writes one CSV per input with its rejected rows, as raw cells under the input's own header. A user repairs the rows
 * there and adds the file to the channel; it then replaces the rows it names. Cells that a spreadsheet would take for
 * formulas get an apostrophe, which is removed when the file is read.
 */
export const writeRejects = async (folder: string, inputs: readonly Rejects[]): Promise<void> => {
  const taken = new Set<string>();
  for (const input of inputs) {
    if (input.records.length === 0) continue;
    const name = freeName(input, taken);
    const path = join(folder, 'rejects', name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const rows = stringify({ escape_formulas: true });
    const written = pipeline(rows, createWriteStream(path, { mode: 0o600 }));
    rows.write([...REJECT_COLUMNS, ...ownCells(input, input.header)]);
    for (const record of input.records) for (const row of rowsOf(input, record)) rows.write(row);
    rows.end();
    await written;
  }
};

/** Returns the name of a reject file: the input's, below its channel, with a number if two inputs would share one. */
const freeName = ({ channel, path }: Rejects, taken: Set<string>): string => {
  const plain = path.replace(/[^A-Za-z0-9._-]+/g, '_');
  for (let number = 1; ; number += 1) {
    const name = join(channel, `${plain}${number === 1 ? '' : `-${number}`}.rejects.csv`);
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
};

/** Returns the export's own cells if the input is a repaired reject file. */
const ownCells = ({ header }: Rejects, cells: readonly string[]): readonly string[] =>
  rejectPlaces(header) ? cells.filter((_, index) => !isRejectColumn(header[index] ?? '')) : cells;

const rowsOf = (input: Rejects, { origin, reason, rows, value }: SetAside): readonly (readonly string[])[] =>
  rows.map(({ line, cells }) => [
    input.path,
    input.sha256,
    String(line),
    origin.record,
    reason.code,
    reason.message,
    reason.column ?? '',
    value ?? '',
    ...ownCells(input, cells),
  ]);
