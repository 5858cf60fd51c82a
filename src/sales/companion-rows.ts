import type { Origin } from '../kernel/finding.ts';
import { absolute, formatPrice, isWholeCents, moneyOfPrice } from '../kernel/money.ts';
import type { Detected } from './detect-profile.ts';
import type { CompanionProfile } from './profile.ts';
import { type DateZones, dateReader } from './read-date.ts';
import { columnsOf, columnsOfText, isProblem, type RowReader, rowReader } from './row-reader.ts';
import type { RefundDate, SaleFinding, SetAside } from './sale.ts';
import { isMangled, serviceId } from './sale-name.ts';
import { miscounted } from './set-aside.ts';
import { rowByRow, type TableRow } from './table-row.ts';

/** A row of a companion file: a repayment of an order, an unreadable row, or something else. */
export type CompanionRow = { readonly row: TableRow } & (
  | { readonly kind: 'accepted'; readonly repayment: RefundDate }
  | { readonly kind: 'rejected'; readonly aside: SetAside }
  | { readonly kind: 'ignored' }
);

/** Read the rows of a companion file in order. */
export async function* readCompanion(
  file: { readonly name: string },
  { header, rows, framingOf }: Pick<Detected, 'header' | 'rows' | 'framingOf'>,
  profile: CompanionProfile,
  zones: DateZones,
): AsyncGenerator<CompanionRow> {
  const read = rowReader(header, { ...profile.file, money: profile.locale });
  const tests = profile.rows.map(read.holds);
  const nameOf = read.text(profile.map.order);
  const repaymentOf = repaymentReader(profile, read, zones);
  for await (const row of rowByRow(rows())) {
    if (framingOf(row) || !tests.every((test) => test(row))) {
      yield { row, kind: 'ignored' };
      continue;
    }
    const name = nameOf(row);
    const origin = { file: file.name, line: row.line, record: name };
    const repayment =
      row.cells.length === header.length ? repaymentOf(row, origin) : miscounted(row, header.length);
    const reason = 'code' in repayment ? repayment : nameProblem(name, profile);
    if (reason) {
      const aside: SetAside = { outcome: 'rejected', origin, rows: [row], reason, businessDate: null };
      yield { row, kind: 'rejected', aside };
    } else yield { row, kind: 'accepted', repayment: repayment as RefundDate };
  }
}

const nameProblem = (name: string, { map }: CompanionProfile): SaleFinding | undefined => {
  const column = columnsOfText(map.order);
  if (name === '') return { code: 'bad-cell', message: 'the row names no order', column };
  if (!isMangled(name)) return undefined;
  return { code: 'mangled-id', message: `"${name}" is what a spreadsheet left of an id`, column };
};

/** Return a reader of the dated repayment in a row, or of the reason why it cannot be read. */
const repaymentReader = ({ map, locale }: CompanionProfile, read: RowReader, zones: DateZones) => {
  const amountOf = read.amount(map.amount);
  const dateOf = dateReader(locale.date, read, zones);
  return (row: TableRow, origin: Origin): RefundDate | SaleFinding => {
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
    const order = serviceId(origin.record);
    return { order, instant: date.at, amount: absolute(moneyOfPrice(amount)), origin };
  };
};
