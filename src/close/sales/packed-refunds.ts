import { absolute } from '../../kernel/money.ts';
import { isWholeCents, moneyOfPrice } from '../../kernel/price.ts';
import type { TableRow } from './files/table-row.ts';
import { type DateZones, dateReader } from './normal/read-date.ts';
import { unpacked } from './packed-lines.ts';
import type { SalesProfile } from './profile.ts';
import { isProblem } from './read-amount.ts';
import type { RefundDate } from './refunds.ts';
import { type RowReader, rowReader } from './row-reader.ts';

/** A repayment of an order, before the order is known by its id. */
export type Repayment = Pick<RefundDate, 'instant' | 'amount'>;

/**
 * A reader of the dated repayments that an export packs into a cell of the order: what a companion file tells of
 * other exports. `undefined` when the cell holds something else.
 */
export const repaymentReader = (
  { packedRefunds: packed, locale }: SalesProfile,
  cells: Pick<RowReader, 'text'>,
  zones: DateZones,
): ((row: TableRow) => readonly Repayment[] | undefined) => {
  if (!packed) return () => [];
  const read = rowReader(packed.labels, { money: locale });
  const dateOf = dateReader(packed.date, read, zones);
  const amountOf = read.amount(packed.amount);
  const textOf = cells.text(packed.column);
  return (row) => {
    const repayments: Repayment[] = [];
    for (const values of unpacked(textOf(row), packed)) {
      const item = { line: row.line, cells: values };
      const amount = amountOf(item);
      const date = dateOf(item);
      if (isProblem(amount) || isProblem(date) || !isWholeCents(amount)) return undefined;
      repayments.push({ instant: date.at, amount: absolute(moneyOfPrice(amount)) });
    }
    return repayments;
  };
};
