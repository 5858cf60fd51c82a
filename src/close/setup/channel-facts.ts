import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, ZERO } from '../../kernel/money.ts';
import { businessPlace } from '../sales/business-place.ts';
import { SELLER_UNKNOWN } from '../sales/read-ship-to.ts';
import { rowReader } from '../sales/row-reader.ts';
import type { Sale } from '../sales/sale.ts';
import type { Trial } from '../stages/extract/try-exports.ts';
import { readableRows } from './readable-rows.ts';
import type { RecognisedFile } from './survey-folder.ts';

/** Totals of the sales into one state. In-person sales whose place no export gives are under the state `''`. */
export type StateFacts = {
  /** Sales whose tax no marketplace remits, and their total without tax. */
  readonly sales: number;
  readonly gross: Money;
  /** Total, without tax, of the sales whose tax a marketplace remits. */
  readonly marketplaceGross: Money;
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
  readonly ids: ReadonlySet<string>;
  /** Warnings about the files: truncated ends, missing days, overlaps, a different time zone. */
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
const NOTHING: StateFacts = {
  sales: 0,
  gross: ZERO,
  marketplaceGross: ZERO,
  taxed: 0,
  tax: ZERO,
  firstTaxed: undefined,
};

export const channelFacts = (trials: readonly Trial[]): ChannelFacts => {
  const sales = trials.flatMap((trial) => trial.sales);
  const days = sales.map(({ businessDate }) => businessDate).sort();
  const states = new Map<string, StateFacts>();
  const open = new Map<string, number>();
  const count = (code: string): void => void open.set(code, (open.get(code) ?? 0) + 1);
  for (const sale of sales) {
    addTo(states, sale);
    const [doubt] = sale.findings;
    if (sale.outcome === 'review' && doubt?.code !== SELLER_UNKNOWN) count(doubt?.code ?? '');
  }
  for (const { setAsides } of trials)
    for (const { outcome, reason } of setAsides) if (outcome === 'rejected') count(reason.code);
  return {
    orders: sales.filter(({ kind }) => kind === 'order').length,
    refunds: sales.filter(({ kind }) => kind === 'refund').length,
    first: days[0],
    last: days.at(-1),
    marketplace: sales.filter(({ exemptionType }) => exemptionType === 'marketplace').length,
    states,
    open,
    ids: new Set(sales.map(({ id }) => id)),
    notices: trials.flatMap(({ file, detected }) =>
      detected.notices
        .filter(({ code }) => SAID_OF_FILES.has(code))
        .map(({ message }) => `${file.name.replace(/^.*[\\/]/, '')}: ${message}`),
    ),
  };
};

const addTo = (states: Map<string, StateFacts>, sale: Sale): void => {
  if (sale.kind !== 'order' || (sale.shipTo.country !== 'US' && sale.shipTo.country !== '')) return;
  const { state } = sale.shipTo;
  const before = states.get(state) ?? NOTHING;
  if (sale.exemptionType === 'marketplace') {
    states.set(state, { ...before, marketplaceGross: add(before.marketplaceGross, sale.amount) });
    return;
  }
  const isTaxed = sale.salesTax > ZERO;
  states.set(state, {
    ...before,
    sales: before.sales + 1,
    gross: add(before.gross, sale.amount),
    taxed: before.taxed + (isTaxed ? 1 : 0),
    tax: add(before.tax, isTaxed ? sale.salesTax : ZERO),
    firstTaxed: isTaxed ? earliest([before.firstTaxed, sale.businessDate]) : before.firstTaxed,
  });
};

const earliest = (days: readonly (CalendarDate | undefined)[]): CalendarDate | undefined =>
  days.filter((day) => day !== undefined).sort()[0];

/** Combine the state totals of several channels. */
export const statesOf = (of: readonly ChannelFacts[]): ReadonlyMap<string, StateFacts> => {
  const all = new Map<string, StateFacts>();
  for (const [state, facts] of of.flatMap(({ states }) => [...states])) {
    const before = all.get(state) ?? NOTHING;
    all.set(state, {
      sales: before.sales + facts.sales,
      gross: add(before.gross, facts.gross),
      marketplaceGross: add(before.marketplaceGross, facts.marketplaceGross),
      taxed: before.taxed + facts.taxed,
      tax: add(before.tax, facts.tax),
      firstTaxed: earliest([before.firstTaxed, facts.firstTaxed]),
    });
  }
  return all;
};

/** Collect the places of business named in files. */
export const placesIn = async (files: readonly RecognisedFile[]): Promise<readonly string[]> => {
  const names = new Set<string>();
  for (const file of files) {
    const { profile, header } = file.found;
    if (profile.capability !== 'sales' || profile.map.location === undefined) continue;
    const placeOf = businessPlace(profile.map, rowReader(header, profile.file));
    for await (const row of readableRows(file)) names.add(placeOf(row));
  }
  names.delete('');
  return [...names].sort();
};
