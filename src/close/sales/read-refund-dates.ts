import { absolute, formatPrice, isWholeCents, moneyOfPrice } from '../../kernel/money.ts';
import { type DateZones, dateReader } from './normal/read-date.ts';
import type { RefundDatesProfile } from './profile.ts';
import { columnsOf, isProblem } from './read-amount.ts';
import type { RowSaying } from './read-companion.ts';
import type { RefundDate } from './refunds.ts';
import type { RowReader } from './row-reader.ts';

/** Return a reader of the dated repayments in a companion file. */
export const refundDateReader =
  ({ map, locale }: RefundDatesProfile, zones: DateZones) =>
  (read: RowReader): RowSaying<RefundDate> => {
    const amountOf = read.amount(map.amount);
    const dateOf = dateReader(locale.date, read, zones);
    return (row, { order, origin }) => {
      const amount = amountOf(row);
      if (isProblem(amount) || !isWholeCents(amount)) {
        const value = isProblem(amount) ? amount.value : formatPrice(amount);
        const message = `"${value}" is not an amount of dollars and cents`;
        const column = isProblem(amount) ? amount.column : columnsOf(map.amount);
        return { unreadable: { code: 'bad-cell', message, column } };
      }
      const date = dateOf(row);
      if (isProblem(date)) {
        const message = `"${date.value}" ${date.problem}`;
        return { unreadable: { code: 'bad-cell', message, column: date.column } };
      }
      return { order, instant: date.at, amount: absolute(moneyOfPrice(amount)), origin };
    };
  };
