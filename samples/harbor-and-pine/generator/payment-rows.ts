import { printCents } from './amounts.ts';
import type { PricedOrder } from './price-month.ts';
import { randomOf } from './random.ts';
import { refundCents } from './refund-amount.ts';
import { nameOf } from './sample-order.ts';
import { addHours, type Instant, printStoreTime, storeDate } from './store-time.ts';

export const PAYMENT_COLUMNS = [
  'Transaction Date',
  'Type',
  'Order',
  'Card Brand',
  'Card Source',
  'Payout Status',
  'Payout Date',
  'Payout ID',
  'Available On',
  'Amount',
  'Fee',
  'Net',
  'Checkout',
  'Payment Method Name',
  'Presentment Amount',
  'Presentment Currency',
  'Currency',
] as const;

type Transaction = { readonly at: Instant; readonly type: 'charge' | 'refund'; readonly cents: number };

/** What a card costs: 2.9 percent and thirty cents, kept by the processor also when the sale is refunded. */
const feeCents = ({ type, cents }: Transaction): number =>
  type === 'charge' ? Math.round(cents * 0.029) + 30 : 0;

const transactionsOf = ({ order, charge }: PricedOrder): Transaction[] => {
  const wasCharged = order.payment === 'Shopify Payments' && !['pending', 'voided'].includes(order.status);
  if (!wasCharged) return [];
  const charged: Transaction = { at: order.createdAt + 2_000, type: 'charge', cents: charge.totalCents };
  const refundedAt = order.refund?.at;
  if (refundedAt === undefined) return [charged];
  return [charged, { at: refundedAt, type: 'refund', cents: -refundCents(order, charge) }];
};

const cellsOf = ({ order }: PricedOrder, transaction: Transaction): string[] => {
  const { at, type, cents } = transaction;
  const payout = storeDate(addHours(at, 48));
  const fee = feeCents(transaction);
  return [
    printStoreTime(at),
    type,
    nameOf(order.number),
    randomOf(order.number).pick(['visa', 'visa', 'master', 'american_express']),
    order.channel === 'pos' ? 'card_present' : 'online',
    'paid',
    payout,
    `9${payout.replaceAll('-', '')}01`,
    payout,
    printCents(cents),
    printCents(fee),
    printCents(cents - fee),
    `#${38_200_000_000_000 + order.number * 65_537}`,
    'card',
    printCents(cents),
    order.currency,
    order.currency,
  ];
};

/** All card transactions, newest first, as Shopify lists them. */
export const paymentRows = (orders: readonly PricedOrder[]): string[][] =>
  orders
    .flatMap((priced) => transactionsOf(priced).map((transaction) => ({ priced, transaction })))
    .sort((a, b) => b.transaction.at - a.transaction.at)
    .map(({ priced, transaction }) => cellsOf(priced, transaction));
