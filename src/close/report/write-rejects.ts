import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { SetAside } from '../sales/sale.ts';

/** The rejected records of one input, with what is needed to write them in the input's own form. */
export type Rejects = {
  readonly path: string;
  readonly sha256: string;
  readonly header: readonly string[];
  readonly records: readonly SetAside[];
};

/** What stands before the input's own columns. A repaired file is read again with or without them. */
const LEADING_COLUMNS = ['_file', '_sha256', '_line', '_record', '_reason', '_detail', '_column', '_value'];

/**
 * One CSV per input with its rejected rows, raw cells under the input's own header, so that they can be repaired and
 * exported again. Cells that a spreadsheet would take for formulas carry an apostrophe, which reading takes off.
 */
export const writeRejects = async (folder: string, inputs: readonly Rejects[]): Promise<void> => {
  for (const input of inputs) {
    if (input.records.length === 0) continue;
    await mkdir(join(folder, 'rejects'), { recursive: true, mode: 0o700 });
    const path = join(folder, 'rejects', `${input.path.replace(/[^A-Za-z0-9._-]+/g, '_')}.rejects.csv`);
    const rows = stringify({ escape_formulas: true });
    const written = pipeline(rows, createWriteStream(path, { mode: 0o600 }));
    rows.write([...LEADING_COLUMNS, ...input.header]);
    for (const record of input.records) for (const row of rowsOf(input, record)) rows.write(row);
    rows.end();
    await written;
  }
};

const rowsOf = ({ path, sha256 }: Rejects, { origin, reason, rows, value }: SetAside): readonly string[][] =>
  rows.map(({ line, cells }) => [
    path,
    sha256,
    String(line),
    origin.record,
    reason.code,
    reason.message,
    reason.column ?? '',
    value ?? '',
    ...cells,
  ]);
