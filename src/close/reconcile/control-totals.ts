import { formatPrice, type Price, price } from '../../kernel/price.ts';
import type { SaleOutcome, SetAside } from '../sales/sale.ts';

/** The possible outcomes of a record group. The first three are sales; their rows count as used. */
export const OUTCOMES = ['accepted', 'warning', 'review', 'ignored', 'rejected'] as const;
export type RecordOutcome = SaleOutcome | SetAside['outcome'];

/** The outcomes of records whose rows are used. */
export const USED = ['accepted', 'warning', 'review'] as const;

/**
 * Totals of rows of a file: their number and, by control column, the sum and the number of cells that are not amounts.
 */
export type Figures = {
  readonly rows: number;
  readonly sums: readonly Price[];
  readonly unreadable: readonly number[];
};

/** A non-blank cell of a control column that is not an amount. */
export type UnreadableCell = { readonly column: string; readonly line: number; readonly value: string };

/** Control totals of one file: counted while reading it, and added up from its stored records. Amounts are exact. */
export type FileControls = {
  /** The money columns that its profile names and its header has. */
  readonly columns: readonly string[];
  readonly whole: Figures;
  readonly outcomes: Readonly<Record<RecordOutcome, Figures & { readonly records: number }>>;
  /** The first cell of each column that is not an amount. */
  readonly firstUnreadable: readonly UnreadableCell[];
};

/** One control column of one file, from both sides. */
export type ControlledColumn = {
  readonly column: string;
  readonly whole: Price;
  /** `used`: accepted records, with or without a warning, and those that need review; `review`: only the latter. */
  readonly used: Price;
  readonly review: Price;
  readonly ignored: Price;
  readonly rejected: Price;
  /** Number of non-blank cells that are not amounts, in all rows and in used rows. */
  readonly unreadable: number;
  readonly unreadableUsed: number;
  readonly firstUnreadable: UnreadableCell | undefined;
};

/** The control columns of a file, one by one. */
export const controlledColumns = ({
  columns,
  whole,
  outcomes,
  firstUnreadable,
}: FileControls): readonly ControlledColumn[] =>
  columns.map((column, index) => {
    const sumOf = (...parts: readonly RecordOutcome[]): Price =>
      price(parts.reduce((total, outcome) => total + (outcomes[outcome].sums[index] ?? 0), 0));
    return {
      column,
      whole: whole.sums[index] ?? price(0),
      used: sumOf(...USED),
      review: sumOf('review'),
      ignored: sumOf('ignored'),
      rejected: sumOf('rejected'),
      unreadable: whole.unreadable[index] ?? 0,
      unreadableUsed: USED.reduce((total, outcome) => total + (outcomes[outcome].unreadable[index] ?? 0), 0),
      firstUnreadable: firstUnreadable.find((cell) => cell.column === column),
    };
  });

/** The difference between the file and its records: zero, unless something was lost or counted twice. */
export const lostOf = ({ whole, used, ignored, rejected }: ControlledColumn): Price =>
  price(whole - used - ignored - rejected);

export const rowsOf = ({ outcomes }: FileControls, ...parts: readonly RecordOutcome[]): number =>
  parts.reduce((total, outcome) => total + outcomes[outcome].rows, 0);

/** Sums of a column over all rows and by outcome. Dollars, as text. */
export type ColumnSums = {
  readonly all: string;
  readonly used: string;
  /** The part of `used` that needs review. */
  readonly review: string;
  readonly ignored: string;
  readonly rejected: string;
  /** Number of non-blank cells that are not amounts. */
  readonly unreadable: number;
};

/** The sums of control columns by name, for listings. */
export const columnSumsOf = (columns: readonly ControlledColumn[]): Readonly<Record<string, ColumnSums>> =>
  Object.fromEntries(
    columns.map(({ column, whole, used, review, ignored, rejected, unreadable }) => [
      column,
      {
        all: formatPrice(whole),
        used: formatPrice(used),
        review: formatPrice(review),
        ignored: formatPrice(ignored),
        rejected: formatPrice(rejected),
        unreadable,
      },
    ]),
  );
