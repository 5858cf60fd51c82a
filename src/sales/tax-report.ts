import type { Origin } from '../kernel/finding.ts';
import { add, formatMoney, type Money, sum, ZERO } from '../kernel/money.ts';
import type { RowSaying } from './companion-rows.ts';
import type { TaxReportProfile } from './profile.ts';
import { type CellProblem, isProblem, type RowReader, type Test } from './row-reader.ts';
import {
  addUpLines,
  addUpTo,
  holding,
  isHolding,
  type Sale,
  type SaleFinding,
  type TaxLine,
} from './sale.ts';
import { type FeeTest, feesApart, feesWithin } from './settle-amounts.ts';
import { taxLineReader } from './tax-lines.ts';

/** The combined statement of a tax report about one order. */
export type OrderReport = {
  /** The order's name in the report, and the position of its first row. */
  readonly name: string;
  readonly place: string;
  readonly lines: readonly TaxLine[];
  readonly tax: Money;
  /** Who remits the tax according to its rows: the channel (`true`), the seller (`false`), or both. */
  readonly remitters: ReadonlySet<boolean>;
};

export const reportOf = (all: readonly ReportedTax[]): OrderReport => {
  const rows = onceEach(all);
  const [first] = rows;
  const lines = addUpLines(rows.flatMap((row) => row.lines));
  return {
    name: first?.origin.record ?? '',
    place: `${first?.origin.file}:${first?.origin.line}`,
    lines,
    tax: sum(lines.map(({ amount }) => amount)),
    remitters: new Set(rows.flatMap(({ byChannel }) => byChannel ?? [])),
  };
};

/** Drop rows repeated in reports with overlapping dates. Equal rows within one file are counted and all kept. */
const onceEach = (rows: readonly ReportedTax[]): readonly ReportedTax[] => {
  const copies = new Map<string, number>();
  const seen = new Set<string>();
  return rows.filter(({ origin: { file }, ...said }) => {
    const text = JSON.stringify(said);
    const copy = (copies.get(`${file} ${text}`) ?? 0) + 1;
    copies.set(`${file} ${text}`, copy);
    const isNew = !seen.has(`${copy} ${text}`);
    seen.add(`${copy} ${text}`);
    return isNew;
  });
};

/** The code of an order of which its report states another tax. */
export const DIFFERS = 'tax-report-differs';

/** Finding codes about the export's tax lines, which the report's lines replace. */
const ABOUT_LINES = new Set(['tax-lines-differ', 'tax-line-unreadable']);

/**
 * Apply a tax report to its order: take over its tax lines if they add up to the collected tax, and treat the tax as
 * the channel's if the channel remits it. After refunds the report may have less.
 */
export const withReport = (
  { order: stated, refunded }: { readonly order: Sale; readonly refunded: Money },
  report: OrderReport,
  isFee: FeeTest,
): Sale => {
  // The report has fees of the state among its taxes.
  const order = feesWithin(stated);
  const collected = add(order.salesTax, order.marketplaceTax);
  const isEqual = collected === report.tax || addUpTo(report.lines, collected);
  const isNet = !isEqual && refunded !== ZERO && report.tax < collected;
  const findings = [
    ...order.findings.filter((each) => !isHolding(each) && !(isEqual && ABOUT_LINES.has(each.code))),
    ...(isEqual || isNet ? [] : [differing(report, collected)]),
  ];
  const doubts = doubtsOf(order, report);
  const outcome = doubts.length > 0 ? 'review' : order.outcome;
  const changed: Sale = {
    ...order,
    ...(report.remitters.has(true) && {
      salesTax: ZERO,
      marketplaceTax: collected,
      exemptionType: 'marketplace',
    }),
    taxLines: isEqual ? report.lines : order.taxLines,
    findings: [...order.findings.filter(isHolding), ...holding(doubts), ...findings],
    outcome: outcome === 'review' ? outcome : findings.length > 0 ? 'warning' : 'accepted',
  };
  return feesApart(changed, isFee);
};

const differing = ({ place, tax }: OrderReport, collected: Money): SaleFinding => ({
  code: DIFFERS,
  message: `the tax report has ${formatMoney(tax)} of tax (${place}), the orders export ${formatMoney(collected)}`,
});

const doubtsOf = ({ exemptionType }: Sale, { place, remitters }: OrderReport): readonly SaleFinding[] => {
  const said = remitters.has(true)
    ? 'of some lines that the channel remits the tax, and of others that it does not'
    : 'that the channel does not remit the tax, and the orders export that it does';
  const isUnclear = remitters.size > 1 || (remitters.has(false) && exemptionType === 'marketplace');
  return isUnclear ? [{ code: 'collector-unclear', message: `the tax report (${place}) says ${said}` }] : [];
};

/** The statement of one tax-report row about its order. */
export type ReportedTax = {
  readonly order: string;
  /** Whether the channel remits the tax itself; `null` if the report does not say. */
  readonly byChannel: boolean | null;
  readonly lines: readonly TaxLine[];
  readonly origin: Origin;
};

/** Return a reader of the orders' taxes in a tax report. A row without tax counts too: its order has none. */
export const taxReportReader =
  (profile: TaxReportProfile, header: readonly string[]) =>
  (read: RowReader): RowSaying<ReportedTax> => {
    const { map, locale, file } = profile;
    const linesOf = taxLineReader(profile, header, read, { ...file, money: locale });
    const remitterOf = remitterReader(map.remitted, read);
    return (row, { order, origin }) => {
      const { lines, findings } = linesOf([row], 1);
      const [unreadable] = findings;
      if (unreadable) return { ...unreadable, code: 'bad-cell' };
      const byChannel = remitterOf(row);
      if (isProblem(byChannel)) return badCell(byChannel);
      return { order, byChannel, lines, origin };
    };
  };

const badCell = ({ problem, column, value }: CellProblem): SaleFinding => ({
  code: 'bad-cell',
  message: `"${value}" ${problem}`,
  column,
});

const remitterReader = (
  { column, byChannel, bySeller }: TaxReportProfile['map']['remitted'],
  read: RowReader,
): ((row: Parameters<Test>[0]) => boolean | null | CellProblem) => {
  const textOf = read.text(column);
  const isByChannel = read.holds({ column, in: byChannel });
  const isBySeller = read.holds({ column, in: bySeller });
  return (row) => {
    if (isByChannel(row)) return true;
    if (isBySeller(row)) return false;
    const value = textOf(row);
    return value === '' ? null : { problem: 'does not say who remits the tax', column, value };
  };
};
