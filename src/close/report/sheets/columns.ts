import { type Money, subtract } from '../../../kernel/money.ts';
import type { Cell } from '../../workbook/cell.ts';
import type { Format } from '../../workbook/format.ts';
import type { Column } from '../../workbook/sheet.ts';

type More<Row> = Partial<Omit<Column<Row>, 'title' | 'width' | 'format' | 'value'>>;

/** Builds columns of a format, one by one: title, width in characters, value, and what else the column has. */
const columnsIn =
  <F extends Format>(format: F, always: { readonly total?: 'sum' } = {}) =>
  <Row>(title: string, width: number, value: (row: Row) => Cell<F>, more: More<Row> = {}): Column<Row> =>
    ({ title, width, format, value, ...always, ...more }) as Column<Row>;

export const words = columnsIn('text');
export const word = columnsIn('status');
export const yesNo = columnsIn('yes-no');
export const id = columnsIn('id');
export const day = columnsIn('date');
export const rate = columnsIn('rate');
export const price = columnsIn('price');
export const money = columnsIn('money');
/** An amount with its total below the rows. */
export const summed = columnsIn('money', { total: 'sum' });
export const count = columnsIn('count');
/** A number with its total below the rows. */
export const counted = columnsIn('count', { total: 'sum' });

/** Flags what ought to be zero. */
export const NOT_ZERO = { attention: (cell: string): string => `${cell}<>0` };

/** Collected less expected tax, placed after the columns of both. */
export const variance = summed<{ readonly collected: Money; readonly expected: Money }>(
  'Variance',
  13,
  (row) => subtract(row.collected, row.expected),
  { formula: (at) => at.difference(at.cell('Collected'), at.cell('Expected')), flagWhen: NOT_ZERO },
);
