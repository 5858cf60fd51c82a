import type { Figures, UnreadableCell } from '../close/reconcile/input-exceptions.ts';
import type { TableRow } from '../close/sales/files/table-row.ts';
import { moneyReader } from '../close/sales/normal/read-money.ts';
import type { SalesProfile } from '../close/sales/profile.ts';
import { rowReader } from '../close/sales/row-reader.ts';
import { ZERO_PRICE } from '../kernel/money.ts';
import { exactSum, type FiguresDraft, noFigures } from './figures.ts';

/** The properties by which a file is measured: its control columns, and the format of its amounts. */
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
  /** Returns the control totals of these rows. */
  readonly of: (rows: readonly TableRow[]) => Figures;
  readonly pass: (row: TableRow) => void;
  /** Returns the control totals of the rows passed since the last call. */
  readonly passed: () => Passed;
};

export type Passed = {
  readonly whole: Figures;
  /** For each column, the first cell that is filled but does not contain an amount. */
  readonly firstUnreadable: readonly UnreadableCell[];
};

/**
 * Returns a meter for the rows of one file. Blank cells count as zero; filled cells that are not amounts are counted.
 */
export const columnMeter = ({ place, header, profile, controls }: Measured): ColumnMeter => {
  const { nullTokens, headerAliases } = profile.file;
  const cells = rowReader(header, { nullTokens, headerAliases });
  const money = moneyReader(profile.locale);
  const columns = controls.filter((column) => cells.indexOf(column) >= 0);
  const texts = columns.map(cells.text);
  let first = new Map<string, UnreadableCell>();
  let all = noFigures(columns.length);

  const add = (draft: FiguresDraft, row: TableRow): void => {
    draft.rows += 1;
    for (let index = 0; index < texts.length; index += 1) {
      const value = texts[index]?.(row) ?? '';
      if (value === '') continue;
      const amount = money(value);
      if (amount !== undefined) draft.sums[index] = exactSum(draft.sums[index] ?? ZERO_PRICE, amount, place);
      else {
        const column = columns[index] ?? '';
        draft.unreadable[index] = (draft.unreadable[index] ?? 0) + 1;
        if (!first.has(column)) first.set(column, { column, line: row.line, value });
      }
    }
  };
  return {
    columns,
    of: (rows) => {
      const figures = noFigures(columns.length);
      for (const row of rows) add(figures, row);
      return figures;
    },
    pass: (row) => add(all, row),
    passed: () => {
      const found = { whole: all, firstUnreadable: [...first.values()] };
      all = noFigures(columns.length);
      first = new Map();
      return found;
    },
  };
};
