import { price } from '../../../kernel/price.ts';
import type { Figures, UnreadableCell } from '../../reconcile/control-totals.ts';
import { isProblem } from '../../sales/cell-problem.ts';
import type { TableRow } from '../../sales/files/table-row.ts';
import type { SalesProfile } from '../../sales/profile.ts';
import { rowReader } from '../../sales/row-view.ts';
import { exactSum, noFigures } from './figures.ts';

/** What a file is measured by: its control columns, and how its amounts are written. */
export type Measured = {
  /** The file, for messages. */
  readonly place: string;
  readonly header: readonly string[];
  readonly profile: Pick<SalesProfile, 'file'> & { readonly locale: SalesProfile['locale'] | MoneyLocale };
  readonly controls: readonly string[];
};
type MoneyLocale = Omit<SalesProfile['locale'], 'date' | 'taxDate'>;

/** Measures the rows of one file. */
export type ColumnMeter = {
  readonly columns: readonly string[];
  /** What these rows come to. */
  readonly of: (rows: readonly TableRow[]) => Figures;
  /** Count one row into the whole of the file. */
  readonly pass: (row: TableRow) => void;
  readonly whole: () => Figures;
  /** Of each column the first cell that is filled and holds no amount. */
  readonly firstUnreadable: () => readonly UnreadableCell[];
};

/** A meter for the rows of one file. Blank cells come to nothing; filled ones that hold no amount are counted. */
export const columnMeter = ({ place, header, profile, controls }: Measured): ColumnMeter => {
  const { nullTokens, headerAliases } = profile.file;
  const read = rowReader(header, { money: profile.locale, nullTokens, headerAliases });
  const columns = controls.filter((column) => read.hasColumn(column));
  const first = new Map<string, UnreadableCell>();
  const started = (): Draft => noFigures(columns.length) as Draft;
  const all = started();

  const add = (draft: Draft, row: TableRow): void => {
    draft.rows += 1;
    columns.forEach((column, index) => {
      const amount = read.amount(row, column);
      if (!isProblem(amount)) draft.sums[index] = exactSum(draft.sums[index] ?? price(0), amount, place);
      else if (amount.value !== '') {
        draft.unreadable[index] = (draft.unreadable[index] ?? 0) + 1;
        if (!first.has(column)) first.set(column, { column, line: row.line, value: amount.value });
      }
    });
  };
  return {
    columns,
    of: (rows) => {
      const figures = started();
      for (const row of rows) add(figures, row);
      return figures;
    },
    pass: (row) => add(all, row),
    whole: () => all,
    firstUnreadable: () => [...first.values()],
  };
};

type Draft = { rows: number; sums: Figures['sums'][number][]; unreadable: number[] };
