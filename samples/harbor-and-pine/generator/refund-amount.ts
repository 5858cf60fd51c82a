import { roundToCents } from './amounts.ts';
import { type Charge, lineCents } from './charge.ts';
import { nameOf, type SampleOrder } from './sample-order.ts';

/** One unit of the first line with the tax that was charged on it. */
const oneUnitCents = ({ number, lines, orderDiscountCents }: SampleOrder, charge: Charge): number => {
  const [line] = lines;
  const parts = charge.taxByLine[0] ?? 0;
  if (line === undefined || orderDiscountCents > 0) {
    throw new RangeError(`${nameOf(number)} cannot give one unit back at its price`);
  }
  const cents = Math.floor(lineCents(line) / line.quantity) + roundToCents(Math.floor(parts / line.quantity));
  if (cents >= charge.totalCents) throw new RangeError(`${nameOf(number)} is too small for a partial refund`);
  return cents;
};

/** The order's `Refunded Amount`: with tax in it, and not split. */
export const refundCents = (order: SampleOrder, charge: Charge): number => {
  const { refund } = order;
  if (refund?.kind === 'full') return charge.totalCents;
  return refund === undefined ? 0 : oneUnitCents(order, charge);
};
