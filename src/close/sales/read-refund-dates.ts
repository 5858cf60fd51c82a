import { absolute } from '../../kernel/money.ts';
import { formatPrice, isWholeCents, moneyOfPrice } from '../../kernel/price.ts';
import { dateCell } from './date-cell.ts';
import type { RefundDatesProfile } from './profile.ts';
import { serviceId } from './read-sale.ts';
import type { Detected } from './detect-profile.ts';
import { rowByRow, type TableRow } from './files/table-row.ts';
import type { RefundDate } from './refunds.ts';
import { columnsOf, isProblem, type RowReader, rowReader } from './row-view.ts';
import type { Remark, SetAside } from './sale.ts';

/** A row of a companion file: a dated repayment, a refund that cannot be read, or a row about something else. */
export type CompanionRow =
  | { readonly kind: 'refund'; readonly date: RefundDate }
  | { readonly kind: 'rejected'; readonly aside: SetAside }
  | { readonly kind: 'other' };

/** The rows of a companion file in order. */
export async function* readRefundDates(
  file: { readonly name: string },
  { header, rows, framingOf }: Pick<Detected, 'header' | 'rows' | 'framingOf'>,
  profile: RefundDatesProfile,
): AsyncGenerator<CompanionRow> {
  const read = rowReader(header);
  for await (const row of rowByRow(rows())) {
    if (framingOf(row)) {
      yield { kind: 'other' };
      continue;
    }
    const type = read.text(row, profile.rows.column).toLowerCase();
    if (!profile.rows.is.includes(type)) {
      yield { kind: 'other' };
      continue;
    }
    const record = refundDateOf(row, header.length, file.name, profile, read);
    yield 'outcome' in record ? { kind: 'rejected', aside: record } : { kind: 'refund', date: record };
  }
}

const refundDateOf = (
  row: TableRow,
  width: number,
  file: string,
  profile: RefundDatesProfile,
  read: RowReader,
): RefundDate | SetAside => {
  const name = read.text(row, profile.map.order);
  const origin = { file, line: row.line, record: name };
  const rejected = (reason: Remark): SetAside => ({
    outcome: 'rejected',
    origin,
    rows: [row],
    reason,
    businessDate: null,
  });
  if (row.cells.length !== width)
    return rejected({ code: 'cell-count', message: 'the row has more or fewer cells than the header' });

  const amount = read.amount(row, profile.map.amount);
  if (isProblem(amount) || !isWholeCents(amount)) {
    const value = isProblem(amount) ? amount.value : formatPrice(amount);
    return rejected({
      code: 'bad-cell',
      message: `"${value}" is not an amount of dollars and cents`,
      column: isProblem(amount) ? amount.column : columnsOf(profile.map.amount),
    });
  }
  const instant = dateCell(read.text(row, profile.map.date.column));
  if (instant === undefined) {
    const message = `"${read.text(row, profile.map.date.column)}" is not a date and time of the form ${profile.map.date.form}`;
    return rejected({ code: 'bad-cell', message, column: profile.map.date.column });
  }
  if (name === '')
    return rejected({ code: 'bad-cell', message: 'the refund names no order', column: profile.map.order });
  return { order: serviceId(name), instant, amount: absolute(moneyOfPrice(amount)), origin };
};
