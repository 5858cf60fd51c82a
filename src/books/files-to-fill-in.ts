import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { DecideLine } from '../judge/decide-lines.ts';
import { VERDICTS } from '../judge/decision.ts';
import { formatMoney } from '../kernel/money.ts';
import type { SetAside } from '../sales/sale.ts';
import { isRejectColumn, REJECT_COLUMNS, rejectPlaces } from '../sales/table-row.ts';

type Column = {
  readonly title: string;
  readonly cell: (line: DecideLine) => string;
};

/** The columns of open-items.csv; those from `decision` on are for a person to fill in. */
const COLUMNS: readonly Column[] = [
  { title: 'no', cell: ({ no }) => no },
  { title: 'key', cell: ({ key }) => key },
  { title: 'cause', cell: ({ name }) => name },
  { title: 'place', cell: ({ place }) => place },
  { title: 'what it means', cell: ({ means }) => harmless(means) },
  { title: 'records', cell: (line) => harmless(coveredText(line)) },
  {
    title: 'effect on tax',
    cell: ({ effect, isEffectKnown }) => (isEffectKnown ? formatMoney(effect) : 'unknown'),
  },
  { title: 'what to do', cell: ({ todo }) => todo },
  { title: 'choices', cell: ({ choices }) => choices.map((choice) => VERDICTS[choice]).join(' | ') },
  { title: 'decision', cell: (line) => decisionText(line) },
  { title: 'why', cell: ({ decision }) => harmless(decision?.why ?? '') },
  { title: 'by', cell: ({ decision }) => harmless(decision?.by ?? '') },
  { title: 'on', cell: ({ decision }) => decision?.on ?? '' },
];

/**
 * Prefixes text that a spreadsheet would take for a formula with an apostrophe, which is removed when the file is read.
 */
export const harmless = (text: string): string => text.replace(/^[=+\-@\t\r]/, "'$&");

/** Lists the records that a decision covers, as read back: their names, or only their number for a whole cause. */
export const coveredText = ({ isWhole, records, count }: DecideLine): string =>
  isWhole ? `${count} ${count === 1 ? 'record' : 'records'}` : records.join('; ');

/** Returns the decision in words; empty until someone decides. */
export const decisionText = ({ decision }: DecideLine): string =>
  decision ? VERDICTS[decision.verdict] : '';

/** Builds open-items.csv: every line to decide, as on the sheet Decide, with a byte order mark for spreadsheets. */
export const openItemsText = (lines: readonly DecideLine[]): string =>
  stringify(
    [COLUMNS.map(({ title }) => title), ...lines.map((line) => COLUMNS.map(({ cell }) => cell(line)))],
    { bom: true, record_delimiter: 'windows' },
  );

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

/** Returns inputs with the rejected records of each. */
export const rejectsOf = (
  inputs: readonly Omit<Rejects, 'records'>[],
  asides: readonly ChannelSetAside[],
): readonly Rejects[] => {
  const rejected = Map.groupBy(asides, ({ outcome, channel, origin }) =>
    outcome === 'rejected' ? `${channel}/${origin.file}` : undefined,
  );
  return inputs.map((input) => ({ ...input, records: rejected.get(`${input.channel}/${input.path}`) ?? [] }));
};

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
    const rows = [
      [...REJECT_COLUMNS, ...ownCells(input, input.header)],
      ...input.records.flatMap((record) => rowsOf(input, record)),
    ];
    await writeFile(path, stringify(rows, { escape_formulas: true }), { mode: 0o600 });
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
