import { type Charge, chargeOf } from './charge.ts';
import { draftOrder } from './draft-order.ts';
import { nameOf, type SampleOrder } from './sample-order.ts';
import { timeline } from './timeline.ts';

export type PricedOrder = { readonly order: SampleOrder; readonly charge: Charge };

const MUST_DIFFER = /^R(01|02|05|06|10|11)$/;

/** A planted mistake has to show in the tax, and nothing else may. */
const requireVarianceWherePlanted = ({ order, charge }: PricedOrder): void => {
  const differs = charge.taxCents !== charge.correctTaxCents;
  if (differs !== MUST_DIFFER.test(order.plant?.code ?? '')) {
    const effect = charge.taxCents - charge.correctTaxCents;
    throw new RangeError(`${nameOf(order.number)} is off by ${effect} cents, which is not what was planted`);
  }
};

/** Every order of the timeline with what the shop charged for it, oldest first. */
export const priceMonth = (): PricedOrder[] =>
  timeline().map((slot) => {
    const order = draftOrder(slot);
    const priced = { order, charge: chargeOf(order) };
    requireVarianceWherePlanted(priced);
    return priced;
  });

export const findOrder = (orders: readonly PricedOrder[], number: number): PricedOrder => {
  const found = orders.find(({ order }) => order.number === number);
  if (found === undefined) throw new RangeError(`the month has no order ${nameOf(number)}`);
  return found;
};
