import { formatPrice, type Price, price } from '../../kernel/price.ts';
import type { SaleOutcome, SetAside } from '../sales/sale.ts';

/** What becomes of a record group. The first three are sales, and their rows are the used ones. */
export const OUTCOMES = ['accepted', 'warning', 'review', 'ignored', 'rejected'] as const;
export type RecordOutcome = SaleOutcome | SetAside['outcome'];

/** The outcomes of records whose rows are used. */
export const USED = ['accepted', 'warning', 'review'] as const;

/** What rows of a file come to: how many they are, and by control column their sum and the cells that are not amounts. */
export type Figures = {
  readonly rows: number;
  readonly sums: readonly Price[];
  readonly unreadable: readonly number[];
};

/** A cell of a control column that is filled and holds no amount. */
export type UnreadableCell = { readonly column: string; readonly line: number; readonly value: string };

/**
 * The control totals of one file on both sides: what passed by when it was read, and what its records became, added
 * up from what is stored. Amounts are exact.
 */
export type FileControls = {
  /** The columns of money that its profile names and its header has. */
  readonly columns: readonly string[];
  readonly whole: Figures;
  readonly outcomes: Readonly<Record<RecordOutcome, Figures & { readonly records: number }>>;
  /** The first cell of each column that holds no amount. */
  readonly firstUnreadable: readonly UnreadableCell[];
};

/** One control column of one file, both sides of it. */
export type ControlledColumn = {
  readonly column: string;
  readonly whole: Price;
  /** Of accepted records, with a warning or without, and of those that need review. */
  readonly used: Price;
  readonly review: Price;
  readonly ignored: Price;
  readonly rejected: Price;
  /** Cells that are filled and hold no amount, and those of them in used rows. */
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

/** What the file has and its records have not: zero, unless something was lost or counted twice. */
export const lostOf = ({ whole, used, ignored, rejected }: ControlledColumn): Price =>
  price(whole - used - ignored - rejected);

export const rowsOf = ({ outcomes }: FileControls, ...parts: readonly RecordOutcome[]): number =>
  parts.reduce((total, outcome) => total + outcomes[outcome].rows, 0);

/** What the cells of a column come to, over all rows and by what became of them. Dollars, as text. */
export type ColumnSums = {
  readonly all: string;
  readonly used: string;
  /** The part of `used` that needs review. */
  readonly review: string;
  readonly ignored: string;
  readonly rejected: string;
  /** Cells that are filled and hold no amount. */
  readonly unreadable: number;
};

/** Control columns by name, as a listing has them. */
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
