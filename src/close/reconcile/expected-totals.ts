import { joinSums, type KeptSums } from '../../kernel/join-sums.ts';
import { add, formatMoney, type Money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { Sale } from '../sales/sale.ts';
import { stateFeesOf } from '../sales/state-fees.ts';
import type { DetailRow } from './detail-row.ts';
import type { DraftException } from './exceptions.ts';

/** The shop's own totals for one channel and period; totals left out are not compared. */
export type ShopTotals = {
  readonly channel: string;
  readonly orders?: number | undefined;
  readonly refunds?: number | undefined;
  readonly gross?: Money | undefined;
  readonly tax?: Money | undefined;
};

/** A shop's figure beside the same figure from Detail. Counts, or amounts in cents. */
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

/** Channel totals of some rows, as plain data. */
export type KeptChannels = KeptSums<ChannelTotals>;

/**
 * Add up each channel as its shop would: every order and refund whose own day is in the period, posted or not. Refunds
 * lower the amounts; amounts in currencies other than US dollars are left out.
 */
export const channelTotals = (period: FilingPeriod) => {
  const totals = new Map<string, ChannelTotals>();
  return {
    add: (row: DetailRow, sale: Sale): void => {
      if (!isWithin(period, row.businessDate)) return;
      const own = totals.get(row.channel) ?? { orders: 0, refunds: 0, gross: ZERO, tax: ZERO };
      own[row.kind === 'order' ? 'orders' : 'refunds'] += 1;
      if (row.status !== 'not USD') {
        own.gross = add(own.gross, row.gross);
        // A shop that charges a fee of the state as a tax counts it as one.
        const fees = stateFeesOf(sale);
        own.tax = sum([own.tax, row.collected, row.kind === 'refund' ? negate(fees) : fees]);
      }
      totals.set(row.channel, own);
    },
    kept: (): KeptChannels => [...totals],
    join: (others: KeptChannels): void => joinSums(totals, others, FIGURES),
    /** The channels that sold in the period. Refunds and records carried into it do not show that. */
    selling: (): ReadonlySet<string> =>
      new Set([...totals].flatMap(([channel, { orders }]) => (orders > 0 ? channel : []))),
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

/** The record name for accepting an exception about a channel in a period. */
export const channelRecord = (channel: string, { label }: FilingPeriod): string => `${channel} ${label}`;

/** The exceptions for shop figures that differ from the exports. */
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
