import { absolute } from '../../kernel/money.ts';
import { formatPrice, isWholeCents, moneyOfPrice } from '../../kernel/price.ts';
import { isProblem } from './cell-problem.ts';
import type { Detected } from './detect-profile.ts';
import { rowByRow, type TableRow } from './files/table-row.ts';
import { type DateZones, dateReader } from './normal/read-date.ts';
import type { RefundDatesProfile } from './profile.ts';
import { isMangled, serviceId } from './record-id.ts';
import type { RefundDate } from './refunds.ts';
import { columnsOf, type RowReader, rowReader } from './row-view.ts';
import type { Remark, SetAside } from './sale.ts';

/** A row of a companion file: a dated repayment, a refund that cannot be read, or a row about something else. */
export type CompanionRow = { readonly row: TableRow } & (
  | { readonly kind: 'refund'; readonly date: RefundDate }
  | { readonly kind: 'rejected'; readonly aside: SetAside }
  | { readonly kind: 'other' }
);

/** The rows of a companion file in order. */
export async function* readRefundDates(
  file: { readonly name: string },
  { header, rows, framingOf }: Pick<Detected, 'header' | 'rows' | 'framingOf'>,
  profile: RefundDatesProfile,
  zones: DateZones,
): AsyncGenerator<CompanionRow> {
  const read = rowReader(header, {
    money: profile.locale,
    nullTokens: profile.file.nullTokens,
    headerAliases: profile.file.headerAliases,
  });
  const dateOf = dateReader(profile.locale.date, read, zones);
  for await (const row of rowByRow(rows())) {
    if (framingOf(row)) {
      yield { row, kind: 'other' };
      continue;
    }
    const type = read.text(row, profile.rows.column).toLowerCase();
    if (!profile.rows.is.includes(type)) {
      yield { row, kind: 'other' };
      continue;
    }
    const record = refundDateOf(row, header.length, file.name, profile, read, dateOf);
    yield 'outcome' in record
      ? { row, kind: 'rejected', aside: record }
      : { row, kind: 'refund', date: record };
  }
}

const refundDateOf = (
  row: TableRow,
  width: number,
  file: string,
  profile: RefundDatesProfile,
  read: RowReader,
  dateOf: ReturnType<typeof dateReader>,
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
  const date = dateOf(row);
  if (isProblem(date)) {
    const message = `"${date.value}" ${date.problem}`;
    return rejected({ code: 'bad-cell', message, column: date.column });
  }
  if (name === '')
    return rejected({ code: 'bad-cell', message: 'the refund names no order', column: profile.map.order });
  if (isMangled(name)) {
    const message = `"${name}" is what a spreadsheet left of an id`;
    return rejected({ code: 'mangled-id', message, column: profile.map.order });
  }
  return { order: serviceId(name), instant: date.at, amount: absolute(moneyOfPrice(amount)), origin };
};
