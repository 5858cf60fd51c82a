import { absolute } from '../../kernel/money.ts';
import { formatPrice, isWholeCents, moneyOfPrice } from '../../kernel/price.ts';
import type { Detected } from './detect-profile.ts';
import { rowByRow, type TableRow } from './files/table-row.ts';
import { type DateZones, dateReader } from './normal/read-date.ts';
import type { RefundDatesProfile } from './profile.ts';
import { columnsOf, isProblem } from './read-amount.ts';
import { isMangled, serviceId } from './record-id.ts';
import type { RefundDate } from './refunds.ts';
import { columnsOfText, type RowReader, rowReader } from './row-reader.ts';
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
  const tests = profile.rows.map(read.holds);
  const refundDateOf = refundDateReader(profile, header.length, file.name, read, zones);
  for await (const row of rowByRow(rows())) {
    const isOther = framingOf(row) || !tests.every((test) => test(row));
    if (isOther) {
      yield { row, kind: 'other' };
      continue;
    }
    const record = refundDateOf(row);
    yield 'outcome' in record
      ? { row, kind: 'rejected', aside: record }
      : { row, kind: 'refund', date: record };
  }
}

const refundDateReader = (
  { map, locale }: RefundDatesProfile,
  width: number,
  file: string,
  read: RowReader,
  zones: DateZones,
): ((row: TableRow) => RefundDate | SetAside) => {
  const nameOf = read.text(map.order);
  const amountOf = read.amount(map.amount);
  const dateOf = dateReader(locale.date, read, zones);
  return (row) => {
    const name = nameOf(row);
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

    const amount = amountOf(row);
    if (isProblem(amount) || !isWholeCents(amount)) {
      const value = isProblem(amount) ? amount.value : formatPrice(amount);
      return rejected({
        code: 'bad-cell',
        message: `"${value}" is not an amount of dollars and cents`,
        column: isProblem(amount) ? amount.column : columnsOf(map.amount),
      });
    }
    const date = dateOf(row);
    if (isProblem(date)) {
      const message = `"${date.value}" ${date.problem}`;
      return rejected({ code: 'bad-cell', message, column: date.column });
    }
    if (name === '')
      return rejected({
        code: 'bad-cell',
        message: 'the refund names no order',
        column: columnsOfText(map.order),
      });
    if (isMangled(name)) {
      const message = `"${name}" is what a spreadsheet left of an id`;
      return rejected({ code: 'mangled-id', message, column: columnsOfText(map.order) });
    }
    return { order: serviceId(name), instant: date.at, amount: absolute(moneyOfPrice(amount)), origin };
  };
};
