import { add, type Money, subtract, sum } from '../kernel/money.ts';
import { monthIndex } from '../kernel/period.ts';
import { firstOfMonth, lastOfMonth } from './dates.ts';
import type { NexusRule } from './filing-law.ts';
import { inForce } from './law-row.ts';

type NexusStatus = 'registered' | 'crossed' | 'close' | 'below';

/** How close a seller is to the duty to collect in one state. */
export type NexusWatch = NonNullable<ReturnType<typeof nexusWatchOf>>;

/** Share of a threshold from which a state is worth watching: four fifths. */
const CLOSE = 8_000;
const REACHED = 10_000;

/**
 * Compares the sales into a state with its threshold, as of the end of a month. `undefined` if there is no known rule.
 */
export const nexusWatchOf = (
  rules: readonly NexusRule[],
  state: string,
  months: readonly MonthFigures[],
  asOfMonth: string,
  isRegistered: boolean,
) => {
  const end = monthIndex(asOfMonth);
  const asOf = lastOfMonth(end);
  const rule = inForce(
    rules.filter((each) => each.state === state),
    asOf,
  );
  if (!rule) return undefined;
  const best = spansOf(rule, end)
    .map((span) => measure(rule, months, span))
    .reduce((most, each) => (each.reached > most.reached ? each : most));
  const status: NexusStatus = isRegistered ? 'registered' : statusOf(best.reached);
  return { state, rule, ...best, status };
};

const statusOf = (reached: number): NexusStatus => {
  if (reached >= REACHED) return 'crossed';
  return reached >= CLOSE ? 'close' : 'below';
};

const measure = (rule: NexusRule, months: readonly MonthFigures[], span: Span) => {
  const inSpan = months.filter(({ month }) => {
    const index = monthIndex(month);
    return span.first <= index && index <= span.last;
  });
  const sales = totalOf(inSpan, (month) => countedSales(rule, month));
  const transactions = inSpan.reduce((count, month) => count + countedTransactions(rule, month), 0);
  return {
    /** First and last day of the span of months that comes closest to the threshold. */
    first: firstOfMonth(span.first),
    last: lastOfMonth(span.last),
    /** All sales of the span, and the part of them on marketplaces. */
    gross: totalOf(inSpan, ({ gross }) => gross),
    marketplace: totalOf(inSpan, ({ marketplace }) => marketplace),
    /** The sales and transactions of the span that count by the state's rule. */
    sales,
    transactions,
    /** Share of the threshold, in whole hundredths of a percent, rounded down: 10000 is the threshold itself. */
    reached: reachedOf(rule, sales, transactions),
    /** Number of months in the span without data. */
    monthsMissing: span.last - span.first + 1 - new Set(inSpan.map(({ month }) => month)).size,
  };
};

const countedSales = (rule: NexusRule, month: MonthFigures): Money => {
  const { gross, resale, taxable, marketplace } = month;
  // The taxable amount has only the seller's own sales. What of a marketplace's sales is taxable is not known: all counts.
  if (rule.basis === 'taxable') return rule.marketplace ? add(taxable, marketplace) : taxable;
  const counted = rule.basis === 'retail' ? subtract(gross, resale) : gross;
  return rule.marketplace ? counted : subtract(counted, marketplace);
};

const countedTransactions = (rule: NexusRule, month: MonthFigures): number =>
  rule.marketplace ? month.transactions : month.transactions - month.marketplaceTransactions;

/** With two thresholds of which either is enough, returns the nearer one; if both are needed, the farther one. */
const reachedOf = (rule: NexusRule, sales: Money, transactions: number): number => {
  const ofSales = Math.max(0, Number((BigInt(sales) * BigInt(REACHED)) / BigInt(rule.sales)));
  if (rule.transactions === undefined) return ofSales;
  const ofTransactions = Math.max(0, Math.floor((transactions * REACHED) / rule.transactions));
  return rule.combine === 'and' ? Math.min(ofSales, ofTransactions) : Math.max(ofSales, ofTransactions);
};

/** A span of whole months, both inclusive. */
type Span = {
  readonly first: number;
  readonly last: number;
};

/**
 * Returns the spans over which a threshold is measured at the end of a month: the current one and, but for rolling months, the
 * one before. A rule on the previous year also watches the current year, whose sales decide about the next one; the current
 * quarter is watched together with the three before it.
 */
const spansOf = (
  { window, firstMonth }: Pick<NexusRule, 'window' | 'firstMonth'>,
  end: number,
): readonly Span[] => {
  const since = (month: number, length: number): number => end - ((end - month) % length);
  const begin = {
    'previous year': since(0, 12),
    'previous or current year': since(0, 12),
    'rolling 12 months': end - 11,
    'last four quarters': since(firstMonth - 1, 3) - 9,
    'year to september': since(9, 12),
  }[window];
  const before = window === 'last four quarters' ? { first: begin - 3, last: begin + 8 } : undefined;
  if (window === 'rolling 12 months') return [{ first: begin, last: end }];
  return [{ first: begin, last: end }, before ?? { first: begin - 12, last: begin - 1 }];
};

/** The sales of one month into one state, as thresholds count them. */
export type MonthFigures = {
  /** `2026-10`. */
  readonly month: string;
  /** All sales, including those on marketplaces. */
  readonly gross: Money;
  /** The part of `gross` sold for resale. */
  readonly resale: Money;
  readonly taxable: Money;
  /** The part of `gross` on marketplaces that collect the tax themselves. */
  readonly marketplace: Money;
  readonly transactions: number;
  readonly marketplaceTransactions: number;
};

const totalOf = (months: readonly MonthFigures[], figure: (month: MonthFigures) => Money): Money =>
  sum(months.map(figure));
