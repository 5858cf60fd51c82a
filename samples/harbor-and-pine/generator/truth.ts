import { MERCHANT } from './catalogue.ts';
import { countBy, groupCounts } from './group-counts.ts';
import { DAMAGE, type FileGroup } from './orders-export.ts';
import type { PricedOrder } from './price-month.ts';
import { refundCents } from './refund-amount.ts';
import { nameOf } from './sample-order.ts';
import { STATE_RULES } from './state-rules.ts';
import { printStoreTime, storeDate } from './store-time.ts';

const PERIOD = '2026-10';

const periodOf = ({ order }: PricedOrder): string => storeDate(order.createdAt).slice(0, 7);
const stateOf = ({ order }: PricedOrder): string | null => order.place?.state ?? null;

const isSale = ({ order }: PricedOrder): boolean =>
  order.outcome.kind === 'accepted' || order.outcome.kind === 'warning';

const stateFigures = (sales: readonly PricedOrder[]) => {
  const states = Object.keys(STATE_RULES).toSorted();
  const sum = (of: readonly PricedOrder[], cents: (priced: PricedOrder) => number) =>
    of.reduce((total, priced) => total + cents(priced), 0);
  return states.map((state) => {
    const inState = sales.filter((priced) => stateOf(priced) === state);
    const collectedCents = sum(inState, ({ charge }) => charge.taxCents);
    const expectedCents = sum(inState, ({ charge }) => charge.correctTaxCents);
    return {
      state,
      registered: STATE_RULES[state]?.registered ?? false,
      orders: inState.length,
      grossCents: sum(inState, ({ charge }) => charge.subtotalCents + charge.shippingCents),
      shippingCents: sum(inState, ({ charge }) => charge.shippingCents),
      collectedCents,
      expectedCents,
      varianceCents: collectedCents - expectedCents,
    };
  });
};

/** Only a full refund can be split, as the mirror of its order; a partial one names one amount with tax in it. */
const refundTruth = (priced: PricedOrder) => {
  const { order, charge } = priced;
  if (order.refund === undefined) return [];
  const businessDate = storeDate(order.refund.at);
  const isFull = order.refund.kind === 'full';
  return [
    {
      refund: `${order.number}-refund`,
      order: nameOf(order.number),
      orderPeriod: periodOf(priced),
      state: stateOf(priced),
      at: printStoreTime(order.refund.at),
      businessDate,
      period: businessDate.slice(0, 7),
      kind: order.refund.kind,
      amountWithTaxCents: refundCents(order, charge),
      split: isFull
        ? {
            grossCents: charge.subtotalCents + charge.shippingCents,
            shippingCents: charge.shippingCents,
            taxCents: charge.taxCents,
          }
        : null,
      outcome: isFull ? 'accepted' : 'review',
    },
  ];
};

/** `effectCents` is collected minus correct tax of a sale; `keptOutCents` is the total of an order that is no sale. */
const plantTruth = (priced: PricedOrder) => {
  const { order, charge } = priced;
  if (order.plant === undefined) return [];
  return [
    {
      item: order.plant.item,
      order: nameOf(order.number),
      code: order.plant.code,
      state: stateOf(priced),
      period: periodOf(priced),
      outcome: order.outcome.kind,
      effectCents: isSale(priced) ? charge.taxCents - charge.correctTaxCents : 0,
      keptOutCents: isSale(priced) ? 0 : charge.totalCents,
    },
  ];
};

const ORPHAN = {
  item: 7,
  order: nameOf(DAMAGE.orphan),
  code: 'orphan-row',
  state: null,
  period: '2026-09',
  outcome: 'rejected',
  effectCents: 0,
  keptOutCents: 0,
};

/** What a faultless close of the sample finds, by the generator's own reckoning. Amounts are whole cents. */
export const truthOf = (
  orders: readonly PricedOrder[],
  groups: readonly FileGroup[],
  paymentRowCount: number,
) => {
  const sales = orders.filter(isSale);
  const inPeriod = sales.filter((priced) => periodOf(priced) === PERIOD);
  const refunds = orders.flatMap(refundTruth);
  return {
    merchant: MERCHANT,
    period: PERIOD,
    timeZone: 'America/Los_Angeles',
    orderNames: orders.length + 1,
    orders: groupCounts(groups),
    paymentRows: paymentRowCount,
    salesByPeriod: countBy(sales.map(periodOf)),
    refundsByPeriod: countBy(refunds.map(({ period }) => period)),
    states: stateFigures(inPeriod),
    withoutShipTo: inPeriod
      .filter(({ order }) => order.shipTo === undefined)
      .map((priced) => ({
        order: nameOf(priced.order.number),
        channel: priced.order.channel,
        state: stateOf(priced),
        grossCents: priced.charge.subtotalCents + priced.charge.shippingCents,
        taxCents: priced.charge.taxCents,
      })),
    plants: [...orders.flatMap(plantTruth), ORPHAN].sort(
      (a, b) => a.item - b.item || a.order.localeCompare(b.order),
    ),
    refunds,
  };
};
