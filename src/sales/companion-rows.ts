import type { Origin } from '../kernel/finding.ts';
import { absolute, formatPrice, isWholeCents, moneyOfPrice } from '../kernel/money.ts';
import type { Detected } from './detect-profile.ts';
import type { CompanionProfile, RefundDatesProfile } from './profile.ts';
import { type DateZones, dateReader } from './read-date.ts';
import type { RefundDate } from './refunds.ts';
import { columnsOf, columnsOfText, isProblem, type RowReader, rowReader } from './row-reader.ts';
import type { SaleFinding, SetAside } from './sale.ts';
import { isMangled, serviceId } from './sale-name.ts';
import { miscounted } from './set-aside.ts';
import { rowByRow, type TableRow } from './table-row.ts';

/** A row of a companion file: a statement about an order, an unreadable row, or something else. */
export type CompanionRow<Said> = { readonly row: TableRow } & (
  | { readonly kind: 'said'; readonly said: Said }
  | { readonly kind: 'rejected'; readonly aside: SetAside }
  | { readonly kind: 'other' }
);

/** The position of a row, and the order it names, by the id sent to the service. */
export type NamedRow = { readonly order: string; readonly origin: Origin };

/** Reads a row's statement about its order, or the reason why it is unreadable. */
export type RowSaying<Said> = (row: TableRow, named: NamedRow) => Said | SaleFinding;

/** Read the rows of a companion file in order. */
export async function* readCompanion<Said extends object>(
  file: { readonly name: string },
  { header, rows, framingOf }: Pick<Detected, 'header' | 'rows' | 'framingOf'>,
  profile: CompanionProfile,
  sayingOf: (read: RowReader) => RowSaying<Said>,
): AsyncGenerator<CompanionRow<Said>> {
  const read = rowReader(header, { ...profile.file, money: profile.locale });
  const tests = profile.rows.map(read.holds);
  const nameOf = read.text(profile.map.order);
  const saying = sayingOf(read);
  for await (const row of rowByRow(rows())) {
    if (framingOf(row) || !tests.every((test) => test(row))) {
      yield { row, kind: 'other' };
      continue;
    }
    const name = nameOf(row);
    const origin = { file: file.name, line: row.line, record: name };
    const said =
      row.cells.length === header.length
        ? saying(row, { order: serviceId(name), origin })
        : miscounted(row, header.length);
    const reason = 'code' in said ? said : nameProblem(name, profile);
    if (reason) {
      const aside: SetAside = { outcome: 'rejected', origin, rows: [row], reason, businessDate: null };
      yield { row, kind: 'rejected', aside };
    } else yield { row, kind: 'said', said: said as Said };
  }
}

const nameProblem = (name: string, { map }: CompanionProfile): SaleFinding | undefined => {
  const column = columnsOfText(map.order);
  if (name === '') return { code: 'bad-cell', message: 'the row names no order', column };
  if (!isMangled(name)) return undefined;
  return { code: 'mangled-id', message: `"${name}" is what a spreadsheet left of an id`, column };
};

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
        return { code: 'bad-cell', message, column };
      }
      const date = dateOf(row);
      if (isProblem(date)) {
        const message = `"${date.value}" ${date.problem}`;
        return { code: 'bad-cell', message, column: date.column };
      }
      return { order, instant: date.at, amount: absolute(moneyOfPrice(amount)), origin };
    };
  };
