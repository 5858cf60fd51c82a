import type { InputFile } from '../figures/period-report.ts';
import {
  controlledColumns,
  type FileControls,
  OUTCOMES,
  rowsOf,
  USED,
  wasRead,
} from '../judge/input-findings.ts';
import { shownCount } from '../kernel/text.ts';
import type { Detected } from '../sales/detect-profile.ts';
import { type AmountExpression, namedColumns } from '../sales/expression.ts';
import type { SalesProfile } from '../sales/profile.ts';
import { rowReader } from '../sales/row-reader.ts';
import type { SaleFinding } from '../sales/sale.ts';
import type { SurveyedFile } from '../sales/survey-file.ts';
import { normalColumn } from '../sales/table-row.ts';
import { noOutcomes, type Passed } from './file-notes.ts';

/** A file that was read to its end: its description and its totals. */
type ReadFile = Omit<FileControls, 'outcomes'> & {
  readonly channel: string;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The id and version of its profile; empty where no row is looked at. */
  readonly profile: string;
  readonly header: readonly string[];
  readonly notices: readonly SaleFinding[];
};

export const readFile = (
  channel: string,
  { name: path, sha256, bytes }: SurveyedFile,
  { profile, header }: Pick<Detected, 'profile' | 'header'>,
  { columns, whole }: Passed,
  notices: readonly SaleFinding[],
): ReadFile => ({
  channel,
  path,
  sha256,
  bytes,
  header,
  notices,
  columns,
  whole,
  profile: `${profile.id}@${profile.version}`,
});

/** Whether the records of a file state what was refunded. If they do not, only companion files do. */
export const tellsRefunds = (profile: SalesProfile, header: readonly string[]): boolean => {
  const { map, packedRefunds, rules } = profile;
  if (packedRefunds !== undefined || rules.some(({ treat, as }) => treat === 'refund' || as === 'refund'))
    return true;
  if (missingRefundColumns(profile, header).length > 0) return false;
  return map.refunded !== undefined || rules.some(({ fullyRefunded }) => fullyRefunded);
};

/** Returns a file of which no row is looked at: all of its rows are ignored. */
export const unreadFile = (
  channel: string,
  { name: path, sha256, bytes }: Pick<SurveyedFile, 'name' | 'sha256' | 'bytes'>,
  notices: readonly SaleFinding[],
  { rows = 0, ...found }: Partial<Pick<ReadFile, 'profile' | 'header'>> & { readonly rows?: number } = {},
): SourceFileRow => {
  const outcomes = noOutcomes(0);
  outcomes.ignored.records = rows;
  outcomes.ignored.rows = rows;
  const whole = { rows, sums: [] };
  const nothing = { profile: '', header: [], columns: [] };
  return {
    channel,
    path,
    sha256,
    bytes,
    notices,
    ...nothing,
    ...found,
    whole,
    outcomes,
  };
};

/** A file of the exports with its rows and sums as they were read, and their outcomes. */
export type SourceFileRow = ReadFile & FileControls & Pick<InputFile, 'orderTax' | 'taxColumn'>;

/** Returns the column of money with the tax of a sale, where it is one alone. */
export const taxColumnOf = ({ map: { salesTax } }: SalesProfile, columns: readonly string[]) => {
  const columnOf = (amount: AmountExpression): string | undefined => {
    if (typeof amount === 'string') return amount;
    if ('orZero' in amount) return columnOf(amount.orZero);
    return 'sumRows' in amount && !amount.where ? columnOf(amount.sumRows) : undefined;
  };
  const column = columnOf(salesTax);
  return columns.find((one) => one === column);
};

/** The rows of a file after its header, and their outcomes: `used + ignored + rejected = rows`. */
export const rowCounts = (row: FileControls) => ({
  rows: row.whole.rows,
  used: rowsOf(row, ...USED),
  ignored: rowsOf(row, 'ignored'),
  rejected: rowsOf(row, 'rejected'),
});

/** Returns the files of these rows, which stand in order of channel and path. */
export const inputsFrom = (rows: readonly SourceFileRow[]): readonly InputFile[] => {
  const read = rows.filter(wasRead);
  const unread = rows.filter((row) => !wasRead(row));
  // A table that every channel has left out stands among the others: what is said of it is added there, once.
  const firsts = new Map(read.toReversed().map((row) => [row.path, row]));
  const noticesOf = (row: SourceFileRow): SaleFinding[] =>
    [row, ...unread.filter(({ path }) => path === row.path && firsts.get(path) === row)].flatMap(
      ({ notices }) => notices,
    );
  return [...read, ...unread.filter(({ path }) => !firsts.has(path))].map((row) => {
    const { channel, path, sha256, bytes, profile, orderTax, taxColumn } = row;
    const records = OUTCOMES.map((outcome) => [outcome, row.outcomes[outcome].records]);
    return {
      ...{
        channel,
        path,
        sha256,
        bytes,
        profile,
      },
      notices: noticesOf(row),
      ...rowCounts(row),
      ...(orderTax && { orderTax }),
      ...(taxColumn !== undefined && { taxColumn }),
      records: Object.fromEntries(records) as InputFile['records'],
      columns: controlledColumns(row),
    };
  });
};

/** Returns what the reading of exports came to, in words. */
export const summaryOf = (files: readonly SourceFileRow[], beside: readonly string[]): string => {
  const counts = files.map(rowCounts);
  const total = (side: keyof ReturnType<typeof rowCounts>): string =>
    shownCount(counts.reduce((running, count) => running + count[side], 0));
  const said = files.flatMap(({ notices, path }) =>
    notices.flatMap(({ code, message }) => (SAID_FIRST.has(code) ? `${path}: ${message}` : [])),
  );
  return [
    `${total('rows')} rows: ${total('used')} used, ${total('ignored')} ignored, ${total('rejected')} rejected`,
    ...(beside.length > 0 ? [`beside the exports and not read: ${beside.join(', ')}`] : []),
    ...said,
  ].join('; ');
};

/** Findings on files that people should see before the close continues with their sales. */
const SAID_FIRST = new Set(['left-out', 'days-missing', 'no-refund-column']);

/**
 * Returns the columns that say what was given back of an order, if a file has none of them: what was given back cannot
 * be told from nothing there.
 */
export const missingRefundColumns = (
  { map: { refunded }, detect: { required }, file }: SalesProfile,
  header: readonly string[],
): readonly string[] => {
  if (refunded === undefined) return [];
  const everywhere = new Set(required.map(normalColumn));
  const telling = [...new Set(namedColumns(refunded))].filter(
    (column) => !everywhere.has(normalColumn(column)),
  );
  const { indexOf } = rowReader(header, file);
  return telling.some((column) => indexOf(column) >= 0) ? [] : telling;
};
