import { addDays, type CalendarDate, daysFrom } from '../kernel/calendar.ts';
import { add, formatMoney, type Money, negate, parseMoney, subtract, sum, ZERO } from '../kernel/money.ts';
import { type FilingPeriod, isAmendmentLabel, isWithin } from '../kernel/period.ts';
import { shownNumber } from '../kernel/text.ts';
import type { Sale } from '../sales/sale.ts';
import { stateFeesOf } from '../sales/settle-amounts.ts';
import type { DetailRow } from './detail-row.ts';
import { type Finding, finding } from './finding.ts';
import type { DayTotals } from './period-totals.ts';
import type { ReconciledSale } from './reconciled-sale.ts';

/** The shop's own totals for one channel and period; totals left out are not compared. */
export type ShopTotals = {
  readonly channel: string;
  readonly orders?: number | undefined;
  readonly refunds?: number | undefined;
  readonly gross?: Money | undefined;
  readonly tax?: Money | undefined;
};

/** A channel, and the totals of its shop as a person writes them down, by period. */
type StatedChannel = {
  readonly name: string;
  readonly expected: readonly (Pick<ShopTotals, 'orders' | 'refunds'> & {
    readonly period: string;
    readonly gross?: string | undefined;
    readonly tax?: string | undefined;
  })[];
};

/** Returns the totals that the channels' shops show for exactly this period. */
export const shopTotals = (
  { channels }: { readonly channels: readonly StatedChannel[] },
  { label }: FilingPeriod,
): readonly ShopTotals[] =>
  channels.flatMap(({ name, expected }) =>
    expected
      .filter(({ period }) => period === label)
      .map(({ orders, refunds, gross, tax }) => ({
        channel: name,
        orders,
        refunds,
        gross: gross === undefined ? undefined : parseMoney(gross),
        tax: tax === undefined ? undefined : parseMoney(tax),
      })),
  );

/** A shop's figure beside the same figure from Detail. Counts, or amounts in cents. */
export type ComparedTotal = {
  readonly channel: string;
  readonly figure: Figure;
  readonly stated: number;
  readonly found: number;
};

const FIGURES = ['orders', 'refunds', 'gross', 'tax'] as const;
type Figure = (typeof FIGURES)[number];

const NOTHING_SOLD = { orders: 0, refunds: 0, gross: ZERO, tax: ZERO };

export const isAmount = ({ figure }: Pick<ComparedTotal, 'figure'>): boolean =>
  figure === 'gross' || figure === 'tax';

/**
 * Add up each channel as its shop would: every order and refund whose own day is in the period, posted or not. Refunds
 * lower the amounts; amounts in currencies other than US dollars are left out.
 */
export const channelTotals = (period: FilingPeriod) => {
  const totals = new Map<string, typeof NOTHING_SOLD>();
  return {
    add: (row: DetailRow, sale: Sale): void => {
      if (!isWithin(period, row.businessDate)) return;
      const own = totals.get(row.channel) ?? { ...NOTHING_SOLD };
      own[row.kind === 'order' ? 'orders' : 'refunds'] += 1;
      if (row.status !== 'not USD') {
        own.gross = add(own.gross, row.gross);
        // A shop that charges a fee of the state as a tax counts it as one.
        const fees = stateFeesOf(sale);
        own.tax = sum([own.tax, row.collected, row.kind === 'refund' ? negate(fees) : fees]);
      }
      totals.set(row.channel, own);
    },
    /** The channels that sold in the period. Refunds and records carried into it do not show that. */
    selling: (): ReadonlySet<string> =>
      new Set([...totals].flatMap(([channel, { orders }]) => (orders > 0 ? channel : []))),
    compared: (shops: readonly ShopTotals[]): readonly ComparedTotal[] =>
      shops.flatMap(({ channel, ...shop }) =>
        FIGURES.flatMap((figure) => {
          const stated = shop[figure];
          const found = totals.get(channel)?.[figure] ?? 0;
          return stated === undefined ? [] : [{ channel, figure, stated, found }];
        }),
      ),
  };
};

/** The record name for accepting an exception about a channel in a period. */
export const channelRecord = (channel: string, { label }: FilingPeriod): string => `${channel} ${label}`;

/** The exceptions for shop figures that differ from the exports. */
export const findingsOfCompared = (
  compared: readonly ComparedTotal[],
  period: FilingPeriod,
): readonly Finding[] =>
  compared
    .filter(({ stated, found }) => stated !== found)
    .map((total) =>
      finding(`expected-${total.figure}`, messageOf(total), {
        record: channelRecord(total.channel, period),
        effect: total.figure === 'tax' ? subtract(total.found as Money, total.stated as Money) : ZERO,
      }),
    );

const messageOf = (total: ComparedTotal): string => {
  const { channel, figure, stated, found } = total;
  const shown = (value: number): string => (isAmount(total) ? formatMoney(value as Money) : String(value));
  return `${figure} of ${channel}: ${shown(stated)} by the shop, and ${shown(found)} by its exports`;
};

/** Minimum number of days with sales that shows how often a channel sells. */
const DAYS_MIN = 10;
/** A pause at the start or end of the period is unusual if it is more than this many times the longest other pause. */
const TIMES = 2;
const QUIET_DAYS = 3;

/**
 * Report channels whose sales start late or end early in the period, by much more than any pause in between: an export
 * cut off between two records looks like that, and nothing in it shows the cut.
 */
export const findingsOfSilence = (days: readonly DayTotals[], period: FilingPeriod): readonly Finding[] => {
  if (isAmendmentLabel(period.label)) return [];
  const sold = days.filter(({ day, orders }) => orders > 0 && isWithin(period, day as CalendarDate));
  return [...Map.groupBy(sold, ({ channel }) => channel)].flatMap(([channel, own]) => {
    const dates = own.map(({ day }) => day as CalendarDate).sort();
    const first = dates[0];
    const last = dates.at(-1);
    if (!first || !last || dates.length < DAYS_MIN) return [];
    const pause = Math.max(...dates.slice(1).map((date, index) => daysFrom(dates[index] ?? date, date)));
    const usual = TIMES * Math.max(QUIET_DAYS, pause);
    return [
      ...(daysFrom(period.first, first) > usual ? [[period.first, addDays(first, -1)] as const] : []),
      ...(daysFrom(last, period.last) > usual ? [[addDays(last, 1), period.last] as const] : []),
    ].map(([from, to]) =>
      finding(
        'days-missing',
        `the exports of "${channel}" hold no sale from ${from} to ${to}, and one at least every ${usual / TIMES} days between; they may be cut off`,
        { record: channelRecord(channel, period) },
      ),
    );
  });
};

/** What the exports say, as far as it shows which channels sold. */
type Exported = {
  readonly inputs: readonly { readonly channel: string; readonly rows: number }[];
  readonly sales: {
    readonly days: () => readonly CalendarDate[];
    readonly read: (day: CalendarDate) => readonly { readonly sale: Sale }[];
  };
};

/** A channel that sold within this many days before the period counts as active when the period began. */
const DAYS_BEFORE = 30;

/**
 * Returns exceptions for channels that sold until shortly before the period, but not in it, or for the period if none
 * sold in it: the export of the period may have been forgotten.
 */
export const silentAmong = (
  { channels }: { readonly channels: readonly Pick<StatedChannel, 'name'>[] },
  period: FilingPeriod,
  selling: ReadonlySet<string>,
  { inputs, sales }: Exported,
): readonly Finding[] => {
  if (isAmendmentLabel(period.label)) return [];
  // A month without an order is more often a forgotten export than a quiet month, so a person has to confirm it.
  if (selling.size === 0)
    return [
      finding('no-sales', 'none of the exports holds an order of the period', { record: period.label }),
    ];
  const from = addDays(period.first, -DAYS_BEFORE);
  const before = sales.days().filter((day) => from <= day && day < period.first);
  return channels.flatMap(({ name }): readonly Finding[] => {
    if (selling.has(name)) return [];
    const last = before.findLast((day) =>
      sales.read(day).some(({ sale }) => sale.channel === name && sale.kind === 'order'),
    );
    // A file that locked periods have settled is not read, and has no rows here.
    const files = inputs.filter(({ channel }) => channel === name);
    const isEmpty = files.length > 0 && files.every(({ rows }) => rows === 0);
    if (last === undefined && !isEmpty) return [];
    const why = last === undefined ? '' : `, and their last one before it is of ${last}`;
    const message = `the exports of "${name}" hold no order of the period${why}`;
    return [finding('no-channel-sales', message, { record: channelRecord(name, period) })];
  });
};

/**
 * Collect the answers that deny nexus where the seller is registered on the day of the sale. The service expects no tax
 * there, so no amount of the state can be relied on. The answers are looked at, and not the list of the account's
 * regions: this list is as of today, and an entry can begin or end inside the period.
 */
export const deniedNexus = () => {
  /** The number of such sales by state. */
  const states = new Map<string, number>();
  return {
    /** Adds a sale on which the seller owes tax, with its answer. */
    add: ({ shipTo: { state } }: Sale, { hasNexus, expected }: ReconciledSale): void => {
      if (!hasNexus && expected !== null) states.set(state, (states.get(state) ?? 0) + 1);
    },
    exceptions: (): readonly Finding[] =>
      [...states].map(([state, sales]) => {
        const message = `the service knows no nexus in ${state} for ${shownNumber(sales, 'sale')} of days on which the seller is registered there, so it expects no tax of them`;
        return finding('no-nexus', message, { record: `US-${state}`, state });
      }),
  };
};
