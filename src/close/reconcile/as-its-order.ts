import { allocate } from '../../kernel/allocate.ts';
import {
  add,
  atLeastZero,
  formatMoney,
  lesser,
  type Money,
  negate,
  subtract,
  ZERO,
} from '../../kernel/money.ts';
import { type Fraction, plus, rounded } from './fraction.ts';
import { exactlyUpTo, upTo } from './given-back.ts';
import { modelOfPart, type SoldPart, taxPartsOf } from './model-of-part.ts';
import type { Reason, ReasonCode } from './reason.ts';
import { type TaxModel, taxOf } from './tax-model.ts';

/** One change on the way from the expected to the collected tax, with the model after it. */
export type Step = { readonly code: ReasonCode; readonly what: string; readonly model: TaxModel };

/** A refund of a part of an order, the tax that it gave back, and the tax that it should have given back. */
export type ChargedPart = SoldPart & { readonly collected: Money; readonly expected: Money };

/**
 * The largest difference between a refund and the part of a proved calculation that is still rounding, in cents: half a
 * cent of each line and of shipping, which the last refund of an order can take of all before, and a cent of dividing.
 */
const centsMax = ({ partOf }: ChargedPart): number => Math.ceil((partOf.lines.length + 1) / 2) + 1;

/**
 * Explain the tax that a refund of a part of an order gives back by the reasons of its order: where it is the share of
 * the tax that the order was charged, each change takes its part, and a cent of dividing is rounding. `undefined` if it
 * is not that share.
 *
 * @param order the proved calculation of the order: what was due, and the changes that lead to what it was charged
 */
export const explainedAsOrder = (
  refund: ChargedPart,
  order: { readonly expected: TaxModel; readonly steps: readonly Step[] },
): { readonly reasons: readonly Reason[]; readonly model: TaxModel } | undefined => {
  const charged = order.steps.at(-1)?.model ?? order.expected;
  if (!isShareOf(charged, refund)) return undefined;
  const reasons = reasonsOfSteps(refund, order.steps, refund.collected);
  return reasons && { reasons, model: modelOfPart(charged, refund) };
};

/**
 * Returns what each change of an order takes of the tax of its refund, and the cents that dividing leaves; `undefined` if
 * these are more than rounding.
 *
 * @param share the share of the refund in the tax that the order was charged
 */
const reasonsOfSteps = (
  refund: ChargedPart,
  steps: readonly Step[],
  share: Money,
): readonly Reason[] | undefined => {
  const reasons: Reason[] = [];
  let before = refund.expected;
  for (const { code, what, model } of steps) {
    const tax = taxOf(modelOfPart(model, refund));
    const amount = subtract(tax, before);
    const proof = `recomputed like its order ${what}: ${formatMoney(tax)}`;
    if (amount !== ZERO) reasons.push({ code, amount, proof });
    before = tax;
  }
  const cents = subtract(share, before);
  if (Math.abs(cents) > centsMax(refund)) return undefined;
  const proof = `${formatMoney(share)} is its share, to the cent, of the ${formatMoney(refund.partOf.salesTax)} that its order was charged`;
  if (cents !== ZERO) reasons.push({ code: 'R01', amount: cents, proof });
  return reasons;
};

/** What a refund has to give back of an order that was charged too little, and why it is less than its own tax. */
export type ChargedShare = {
  /** The reasons for which less was charged; `undefined` if they are not known. */
  readonly reasons: readonly Reason[] | undefined;
  /** Its share of the tax that the order was charged. */
  readonly charged: Money;
  /** What of this is still there to give back: refunds before it may have given back more than their share. */
  readonly missing: Money;
};

export const chargedShare = (
  refund: ChargedPart,
  order: { readonly expected: TaxModel; readonly steps: readonly Step[]; readonly isProved: boolean },
): ChargedShare => {
  const { salesTax, before } = refund.partOf;
  const { now, of } = leftOf(order.steps.at(-1)?.model ?? order.expected, refund);
  const charged =
    of.dividend <= 0n
      ? ZERO
      : rounded({
          dividend: BigInt(salesTax) * now.dividend * of.divisor,
          divisor: now.divisor * of.dividend,
        });
  return {
    reasons: order.isProved ? reasonsOfSteps(refund, order.steps, charged) : undefined,
    charged,
    missing: lesser(charged, atLeastZero(subtract(salesTax, before?.salesTax ?? ZERO))),
  };
};

/**
 * Explain a refund that gives back tax and neither goods nor shipping: by the reasons for which its order was charged
 * too much, and by the tax of goods that refunds before it did not give back. `undefined` if it gives back more than is
 * left of that.
 *
 * @param order what was due of the order, and why it was charged something else
 */
export const explainedAsOvercharge = (
  refund: ChargedPart,
  order: { readonly expected: TaxModel; readonly reasons: readonly Reason[] },
): readonly Reason[] | undefined => {
  const { amount, collected, partOf } = refund;
  const before = partOf.before?.salesTax ?? ZERO;
  const dueBefore = upTo('before', taxPartsOf(order.expected, refund));
  const overcharge = subtract(partOf.salesTax, taxOf(order.expected));
  const left = subtract(overcharge, subtract(before, dueBefore));
  if (amount !== ZERO || refund.expected !== ZERO || collected <= ZERO || collected > left) return undefined;
  const causes = [
    ...order.reasons
      .filter((reason) => reason.amount > ZERO)
      .map(({ proof, ...cause }) => ({ ...cause, what: `what its order was charged too much: ${proof}` })),
    ...(before < dueBefore ? [{ ...NOT_GIVEN_BACK, amount: subtract(dueBefore, before) }] : []),
  ];
  const parts = allocate(
    collected,
    causes.map((cause) => cause.amount),
  );
  return causes.flatMap(({ code, what }, index) => {
    const part = parts[index] ?? ZERO;
    return part === ZERO ? [] : [{ code, amount: part, proof: `gives back ${formatMoney(part)} of ${what}` }];
  });
};

/**
 * Returns how much of the tax that a refund should give back was given back by refunds before it: what these gave back
 * beyond their own share, and beyond what the order was charged too much. A few cents are not meant: each refund is
 * rounded by itself.
 */
export const givenBackBefore = (refund: ChargedPart, order: { readonly expected: TaxModel }): Money => {
  const { partOf } = refund;
  const dueBefore = upTo('before', taxPartsOf(order.expected, refund));
  const overcharge = atLeastZero(subtract(partOf.salesTax, taxOf(order.expected)));
  const beyond = subtract(partOf.before?.salesTax ?? ZERO, add(dueBefore, overcharge));
  return beyond <= ROUNDED_CENTS ? ZERO : lesser(beyond, atLeastZero(refund.expected));
};

/** The largest difference, in cents, that rounding each refund by itself leaves. */
export const ROUNDED_CENTS = 3;

/** Explain a refund that gives back what refunds before it left of its tax; `undefined` if it gives back something else. */
export const explainedAsRest = (
  refund: ChargedPart,
  order: { readonly expected: TaxModel },
): readonly Reason[] | undefined => {
  const before = givenBackBefore(refund, order);
  if (before === ZERO || add(refund.collected, before) !== refund.expected) return undefined;
  return [{ code: 'R13', amount: negate(before), proof: beforeText(before) }];
};

export const beforeText = (tax: Money): string =>
  `${formatMoney(tax)} of its tax was given back with a refund before it`;

const NOT_GIVEN_BACK = { code: 'R29', what: 'the tax that refunds before it did not give back' } as const;

/**
 * Whether a refund gives back its share of the tax that its order was charged and that was not given back before. The
 * tax is divided to a whole cent, and so are goods and shipping before it: less than a cent of each.
 */
const isShareOf = (charged: TaxModel, refund: ChargedPart): boolean => {
  const { collected, partOf } = refund;
  const { taxLeft, now, left } = leftOf(charged, refund);
  if (left.dividend <= 0n || partOf.amount <= ZERO) return false;
  const [amount, tax] = [BigInt(partOf.amount), BigInt(partOf.salesTax)];
  // collected is less than 1 + 2 * tax / amount from taxLeft * now / left
  const { dividend, divisor } = minus(times(left, BigInt(collected)), times(now, taxLeft));
  const distance = dividend < 0n ? -dividend : dividend;
  return distance * amount * left.divisor < (amount + 2n * tax) * left.dividend * divisor;
};

/** The taxes of a model of an order, what of them and of the tax charged was left before a refund, and its part. */
const leftOf = (charged: TaxModel, refund: ChargedPart) => {
  const { partOf } = refund;
  const parts = taxPartsOf(charged, refund);
  const before = exactlyUpTo('before', parts);
  return {
    taxLeft: BigInt(partOf.salesTax) - BigInt(partOf.before?.salesTax ?? ZERO),
    now: minus(exactlyUpTo('after', parts), before),
    of: exactlyUpTo('of', parts),
    left: minus(exactlyUpTo('of', parts), before),
  };
};

const times = ({ dividend, divisor }: Fraction, by: bigint): Fraction => ({
  dividend: dividend * by,
  divisor,
});

const minus = (left: Fraction, right: Fraction): Fraction => plus(left, times(right, -1n));
