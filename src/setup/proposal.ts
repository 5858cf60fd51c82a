import type { CalendarDate } from '../kernel/calendar.ts';
import { add, type Money, ZERO } from '../kernel/money.ts';
import { usRegionCode, usRegionsOfZip } from '../kernel/us-regions.ts';
import type { Sale } from '../sales/sale.ts';
import type { Trial } from './try-exports.ts';

export type ProposedRegistration = {
  readonly state: string;
  readonly since: string;
  readonly facts: StateFacts | undefined;
};

export type ProposedChannel = {
  readonly name: string;
  readonly title: string;
  /** The id of a profile, or a profile file in the folder. */
  readonly profile: string;
  readonly isOwn: boolean;
  /** Whether the marketplace collects the tax on all sales there. */
  readonly isMarketplace: boolean;
  /** Whether exports of this kind say nothing about refunds. */
  readonly isWithoutRefunds: boolean;
  readonly files: readonly string[];
  readonly refundDates: readonly string[];
  /** Files for which no pattern reads the next month's download, too. */
  readonly alone: readonly string[];
  readonly facts: ChannelFacts;
};

/** Settings found in the exports of a folder, with assumptions where the exports show nothing. */
export type Proposal = {
  readonly shipFrom: ShipFrom;
  readonly registrations: readonly ProposedRegistration[];
  /** States in which few or no sales were taxed. */
  readonly quiet: readonly ProposedRegistration[];
  readonly channels: readonly ProposedChannel[];
  readonly certificates: readonly string[];
  /** Number of records that a close would leave open, by finding code. */
  readonly open: ReadonlyMap<string, number>;
  /** Files and findings that the proposed keys do not cover. */
  readonly left: readonly string[];
};

/** What the file states of the seller beside what follows from the exports. */
export type Seller = {
  readonly entity: string;
  readonly name: string;
  readonly timeZone: string;
  /** Whether a person said the zone, or the ZIP code leaves no other. */
  readonly isZoneSure: boolean;
};

/** A line of the configuration, with the decision it needs, if any. */
export type Line = string | { readonly text: string; readonly decide: string };

export const check = (text: string, decide: string): Line => ({ text, decide });

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

/** Where orders are sent from. */
export type ShipFrom = {
  readonly zip: string;
  /** The states in which the ZIP code may lie, the likeliest first; one, where the address names it. */
  readonly states: readonly string[];
  readonly city: string;
  readonly street: string;
};

/**
 * Parse a ZIP code alone, or an address that ends in one: `1201 K Street, Sacramento, CA 95814`.
 *
 * @returns a text that says what is wrong if it is neither
 */
export const readShipFrom = (text: string): ShipFrom | string => {
  const address = text.trim().replace(/[\s,]+(?:USA?|United States)$/i, '');
  const [, before = '', zip = ''] = /^(.*?)[\s,]*(\d{5}(?:-\d{4})?)$/s.exec(address) ?? [];
  if (zip === '') return `"${text}" does not end in a ZIP code`;
  const states = usRegionsOfZip(zip);
  if (states.length === 0) return `"${zip}" is not a ZIP code in use`;
  const [, rest = '', code = ''] = /^(.*?)[\s,]*\b([A-Za-z]{2})$/s.exec(before) ?? [];
  const state = usRegionCode(code);
  if (state !== undefined && !states.includes(state))
    return `${zip} is in ${states.join(' or ')}, not in ${state}`;
  const parts = (state === undefined ? before : rest)
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const city = parts.pop() ?? '';
  return { zip, states: state === undefined ? states : [state], city, street: parts.join(', ') };
};
