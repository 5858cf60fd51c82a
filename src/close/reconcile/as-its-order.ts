import { formatMoney, type Money, subtract, ZERO } from '../../kernel/money.ts';
import { modelOfPart, type SoldPart } from './model-of-part.ts';
import type { Proof, Step } from './proof.ts';
import type { Reason } from './reason.ts';
import { type TaxModel, taxOf } from './tax-model.ts';

/** A refund of a part of an order, the tax that it gave back, and the tax that it should have given back. */
type RefundedTax = SoldPart & { readonly collected: Money; readonly expected: Money };

/**
 * Explain the tax that a refund of a part of an order gives back by the steps that lead to the tax of the order: each takes
 * its part, and the cents of rounding and dividing are one reason. `undefined` if more is left than these.
 *
 * @param order the model of what was due of the order, and the steps to what it was charged
 */
export const explainedAsOrder = (
  refund: RefundedTax,
  order: { readonly expected: TaxModel; readonly steps: readonly Step[] },
): Pick<Proof, 'reasons' | 'model'> | undefined => {
  const reasons: Reason[] = [];
  let model = modelOfPart(order.expected, refund);
  let before = refund.expected;
  for (const { code, what, model: changed } of order.steps) {
    if (code === 'R01') continue;
    model = modelOfPart(changed, refund);
    const amount = subtract(taxOf(model), before);
    const proof = `recomputed like its order ${what}: ${formatMoney(taxOf(model))}`;
    if (amount !== ZERO) reasons.push({ code, amount, proof });
    before = taxOf(model);
  }
  const cents = subtract(refund.collected, before);
  if (Math.abs(cents) > centsMax(refund)) return undefined;
  const proof = `${formatMoney(refund.collected)} is its share, to the cent, of the ${formatMoney(refund.partOf.salesTax)} that its order was charged`;
  if (cents !== ZERO) reasons.push({ code: 'R01', amount: cents, proof });
  return { reasons, model };
};

/**
 * The largest difference between a refund and its part of a proved calculation that is still rounding, in cents: half a
 * cent of each line and of shipping, which the last refund of an order can take of all before, and a cent of dividing.
 */
const centsMax = ({ partOf }: SoldPart): number => Math.ceil((partOf.lines.length + 1) / 2) + 1;
