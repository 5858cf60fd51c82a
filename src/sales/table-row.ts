import { shownNumber } from '../kernel/text.ts';
import type { SaleFinding } from './sale.ts';

/** One record of a file: its cells as text, and the physical line or sheet row where it starts, counted from 1. */
export type TableRow = {
  readonly line: number;
  readonly cells: readonly string[];
};

/** The rows of one record, in file order; or rows without a record. */
export type RowGroup = {
  readonly name: string;
  /** Whose number the name is; absent where the profile knows one store only. */
  readonly store?: string | undefined;
  readonly rows: readonly TableRow[];
  /** Why the rows make up no record; absent where they do. */
  readonly stray?: SaleFinding | undefined;
};

export type StrayReason = 'orphan-row' | 'cell-count' | 'order-cells-differ' | 'too-many-rows';

/** The reason to reject a row with more or fewer cells than the header. */
export const miscounted = ({ line, cells }: TableRow, width: number): SaleFinding => ({
  code: 'cell-count',
  message: `the row on line ${line} has ${shownNumber(cells.length, 'cell')}, and the header has ${width}`,
});

const STRAY_MESSAGES: Readonly<Record<StrayReason, string>> = {
  'orphan-row': 'the row does not begin an order, and no order stands before it that it continues',
  'cell-count': 'the row has more or fewer cells than the header',
  'order-cells-differ': 'the rows of the record differ in what they say of the whole order',
  'too-many-rows': 'more rows than any sale has carry this key',
};

/** Why rows do not make up a record below a header of so many cells. */
export const strayFinding = (reason: StrayReason, rows: readonly TableRow[], width: number): SaleFinding => {
  const row = rows.find(({ cells }) => cells.length !== width);
  return reason === 'cell-count' && row
    ? miscounted(row, width)
    : { code: reason, message: STRAY_MESSAGES[reason] };
};

/** Whether all cells of a row are blank. A single end mark, which old systems put behind a text, counts as blank. */
export const isBlankRow = (cells: readonly string[]): boolean => {
  for (const cell of cells)
    if (cell !== '' && cell.trim() !== '') return cells.length === 1 && cell === END_MARK;
  return true;
};

/** Ctrl-Z. */
const END_MARK = '\u001a';

/** Yield the rows of batches one by one. */
export async function* rowByRow(batches: AsyncIterable<readonly TableRow[]>): AsyncGenerator<TableRow> {
  for await (const batch of batches) yield* batch;
}

/** Normalize a header cell for comparison: NFC, trimmed, whitespace collapsed, lower case. */
export const normalColumn = (cell: string): string =>
  cell
    .replace(/^\uFEFF/, '')
    .normalize('NFC')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();

/**
 * The names by which profiles call the columns of a header. Of several columns with one name the first has it, since
 * such exports put the ship-to block first; the others are called `Name (2)` and so on.
 */
export const calledColumns = (header: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  return header.map((cell) => {
    const name = cell.trim().replace(/\s+/g, ' ');
    const count = (counts.get(normalColumn(name)) ?? 0) + 1;
    counts.set(normalColumn(name), count);
    return name === '' || count === 1 ? name : `${name} (${count})`;
  });
};

/**
 * Columns that a reject file puts before those of its export: the origin of a row (file, digest, line), its record, and
 * why it was rejected. A repaired reject file is read like any export; these columns show which rows it
 * replaces.
 */
export const REJECT_COLUMNS = [
  '_file',
  '_sha256',
  '_line',
  '_record',
  '_reason',
  '_detail',
  '_column',
  '_value',
] as const;

const NAMES: ReadonlySet<string> = new Set(REJECT_COLUMNS);

export const isRejectColumn = (cell: string): boolean => NAMES.has(cell.trim());

/** Positions of the columns that identify the original row; `undefined` if the header is not that of a reject file. */
export const rejectPlaces = (
  header: readonly string[],
):
  | {
      readonly sha256: number;
      readonly line: number;
    }
  | undefined => {
  const cells = header.map((cell) => cell.trim());
  const places = { sha256: cells.indexOf('_sha256'), line: cells.indexOf('_line') };
  return places.sha256 < 0 || places.line < 0 ? undefined : places;
};

/** Maximum number of cached texts: the places, items and tax names of a file recur often. */
const TEXTS_MAX = 10_000;

/** Cache the results of a function for the first distinct texts it is called with. */
export const remembered = <Value>(make: (text: string) => Value): ((text: string) => Value) => {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined || known.size >= TEXTS_MAX) return found ?? make(text);
    const own = withoutParent(text);
    const value = make(own);
    known.set(own, value);
    return value;
  };
};

/** Copy a text. A substring keeps its whole source in memory, here a piece of a file. */
const withoutParent = (text: string): string => `${text} `.slice(0, -1);

/** The columns of a numbered family such as `Tax # Value`, in numerical order. */
export const numberedColumns = (
  columns: readonly string[],
  pattern: string,
): readonly (readonly [number, string])[] => {
  const [before = '', after = ''] = pattern.split('#');
  return columns
    .filter((column) => column.startsWith(before) && column.endsWith(after))
    .map((column) => [column.slice(before.length, column.length - after.length), column] as const)
    .filter(([number]) => /^\d{1,4}$/.test(number))
    .map(([number, column]) => [Number(number), column] as const)
    .sort(([left], [right]) => left - right);
};
