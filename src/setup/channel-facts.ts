import type { Sale } from '../close/sales/sale.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { add, type Money, ZERO } from '../kernel/money.ts';
import type { Trial } from './trial.ts';

/** Totals of the sales into one state whose tax no marketplace remits. */
export type StateFacts = {
  /** Sales, and their total without tax. */
  readonly sales: number;
  readonly gross: Money;
  /** Sales on which the seller charged tax, and the amount of that tax. */
  readonly taxed: number;
  readonly tax: Money;
  readonly firstTaxed: CalendarDate | undefined;
};

/** Totals of the sales of one channel. */
export type ChannelFacts = {
  readonly orders: number;
  readonly refunds: number;
  readonly first: CalendarDate | undefined;
  readonly last: CalendarDate | undefined;
  /** Number of sales whose tax a marketplace remits. */
  readonly marketplace: number;
  readonly states: ReadonlyMap<string, StateFacts>;
  /** Number of records that a close would leave open, by finding code. */
  readonly open: ReadonlyMap<string, number>;
  /** Warnings about the files: truncated ends, missing days, overlaps, a different time zone, places without an address. */
  readonly notices: readonly string[];
};

const SAID_OF_FILES = new Set([
  'cut-off',
  'days-missing',
  'files-overlap',
  'no-refund-column',
  'no-refund-dates',
  'time-zone-differs',
]);

const NOTHING: StateFacts = { sales: 0, gross: ZERO, taxed: 0, tax: ZERO, firstTaxed: undefined };

export const channelFacts = (trials: readonly Trial[]): ChannelFacts => {
  const sales = trials.flatMap((trial) => trial.sales);
  const setAsides = trials.flatMap((trial) => trial.setAsides);
  const days = sales.map(({ businessDate }) => businessDate).sort();
  const open = [
    ...sales.flatMap(({ outcome, findings }) => (outcome === 'review' ? (findings[0]?.code ?? '') : [])),
    ...setAsides.flatMap(({ outcome, reason }) => (outcome === 'rejected' ? reason.code : [])),
  ];
  const said = open.includes('unknown-location') ? new Set([...SAID_OF_FILES, 'locations']) : SAID_OF_FILES;
  return {
    orders: sales.filter(({ kind }) => kind === 'order').length,
    refunds: sales.filter(({ kind }) => kind === 'refund').length,
    first: days[0],
    last: days.at(-1),
    marketplace: sales.filter(({ exemptionType }) => exemptionType === 'marketplace').length,
    states: statesIn(sales),
    open: countsOf(open),
    notices: trials.flatMap(({ file, detected }) =>
      detected.notices
        .filter(({ code }) => said.has(code))
        .map(({ message }) => `${file.name.replace(/^.*[\\/]/, '')}: ${message}`),
    ),
  };
};

const countsOf = (codes: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));

const statesIn = (sales: readonly Sale[]): ReadonlyMap<string, StateFacts> => {
  const states = new Map<string, StateFacts>();
  for (const { kind, shipTo, exemptionType, amount, salesTax, businessDate } of sales) {
    if (kind !== 'order' || shipTo.country !== 'US' || exemptionType === 'marketplace') continue;
    const isTaxed = salesTax > ZERO;
    const one = {
      sales: 1,
      gross: amount,
      taxed: isTaxed ? 1 : 0,
      tax: isTaxed ? salesTax : ZERO,
      firstTaxed: isTaxed ? businessDate : undefined,
    };
    states.set(shipTo.state, together(states.get(shipTo.state) ?? NOTHING, one));
  }
  return states;
};

const together = (one: StateFacts, other: StateFacts): StateFacts => ({
  sales: one.sales + other.sales,
  gross: add(one.gross, other.gross),
  taxed: one.taxed + other.taxed,
  tax: add(one.tax, other.tax),
  firstTaxed: [one.firstTaxed, other.firstTaxed].filter((day) => day !== undefined).sort()[0],
});

/** Combine the state totals of several channels. */
export const statesOf = (of: readonly ChannelFacts[]): ReadonlyMap<string, StateFacts> => {
  const all = new Map<string, StateFacts>();
  for (const [state, facts] of of.flatMap(({ states }) => [...states]))
    all.set(state, together(all.get(state) ?? NOTHING, facts));
  return all;
};
