import { joinSums, type KeptSums } from '../../kernel/join-sums.ts';
import { add, formatMoney, type Money, subtract, ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { DetailRow } from './detail-row.ts';
import type { DraftException } from './exceptions.ts';

/** What the shop itself says of one channel and period; what it does not say is not compared. */
export type ShopTotals = {
  readonly channel: string;
  readonly orders?: number | undefined;
  readonly refunds?: number | undefined;
  readonly gross?: Money | undefined;
  readonly tax?: Money | undefined;
};

/** One of its figures beside the same figure of the rows of Detail. Counts, or amounts in cents. */
export type ComparedTotal = {
  readonly channel: string;
  readonly figure: Figure;
  readonly stated: number;
  readonly found: number;
};

type Figure = 'orders' | 'refunds' | 'gross' | 'tax';
type ChannelTotals = { orders: number; refunds: number; gross: Money; tax: Money };

export const isAmount = ({ figure }: Pick<ComparedTotal, 'figure'>): boolean =>
  figure === 'gross' || figure === 'tax';

/** What some rows come to as plain data. */
export type KeptChannels = { readonly totals: KeptSums<ChannelTotals>; readonly seen: readonly string[] };

/**
 * Adds up each channel as its shop would: every order and refund whose own day lies in the period, posted or not.
 * Refunds lower the amounts, and amounts in another currency than US dollars are left out.
 */
export const channelTotals = (period: FilingPeriod) => {
  const totals = new Map<string, ChannelTotals>();
  const seen = new Set<string>();
  return {
    add: (row: DetailRow): void => {
      seen.add(row.channel);
      if (!isWithin(period, row.businessDate)) return;
      const own = totals.get(row.channel) ?? { orders: 0, refunds: 0, gross: ZERO, tax: ZERO };
      own[row.kind === 'order' ? 'orders' : 'refunds'] += 1;
      if (row.status !== 'not USD') {
        own.gross = add(own.gross, row.gross);
        own.tax = add(own.tax, row.collected);
      }
      totals.set(row.channel, own);
    },
    kept: (): KeptChannels => ({ totals: [...totals], seen: [...seen] }),
    join: (others: KeptChannels): void => {
      joinSums(totals, others.totals, FIGURES);
      for (const channel of others.seen) seen.add(channel);
    },
    /** Whether the period has anything of the channel, what was carried into it among that. */
    has: (channel: string): boolean => seen.has(channel),
    compared: (shops: readonly ShopTotals[]): readonly ComparedTotal[] =>
      shops.flatMap(({ channel, ...stated }) => {
        const own = totals.get(channel) ?? { orders: 0, refunds: 0, gross: ZERO, tax: ZERO };
        return FIGURES.flatMap((figure) => {
          const figureStated = stated[figure];
          return figureStated === undefined
            ? []
            : [{ channel, figure, stated: figureStated, found: own[figure] }];
        });
      }),
  };
};

const FIGURES = ['orders', 'refunds', 'gross', 'tax'] as const;

/** What an acceptance names as the record, of something that is the matter with a channel in a period. */
export const channelRecord = (channel: string, { label }: FilingPeriod): string => `${channel} ${label}`;

/** A figure of the shop that the exports do not come to. */
export const exceptionsOfCompared = (
  compared: readonly ComparedTotal[],
  period: FilingPeriod,
): readonly DraftException[] =>
  compared
    .filter(({ stated, found }) => stated !== found)
    .map((total) => ({
      severity: 'error',
      code: `expected-${total.figure}`,
      origin: { file: '', line: 0, record: channelRecord(total.channel, period) },
      message: messageOf(total),
      state: '',
      effect: total.figure === 'tax' ? subtract(total.found as Money, total.stated as Money) : ZERO,
    }));

const messageOf = (total: ComparedTotal): string => {
  const { channel, figure, stated, found } = total;
  const shown = (value: number): string => (isAmount(total) ? formatMoney(value as Money) : String(value));
  return `${figure} of ${channel}: ${shown(stated)} by the shop, and ${shown(found)} by its exports`;
};
