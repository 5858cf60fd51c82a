import type { UnitRule } from '../../src/engine/order-tax.ts';
import { Exact } from '../../src/kernel/decimal.ts';

const TEN_THOUSANDTHS = 10_000;
const TEN_MILLIONTHS = 10_000_000;

const dollars = (amount: number) => new Exact(amount).div(TEN_THOUSANDTHS);
const fraction = (rate: number) => new Exact(rate).div(TEN_MILLIONTHS);

/**
 * The tax of one unit in exact decimals of dollars, written as the law reads: by the price of one item. The reference
 * that the integers of the engine are held against.
 */
export const referenceTax = (rule: UnitRule, net: number, quantity: number) => {
  const items = Exact.max(1, quantity);
  const sign = net < 0 ? -1 : 1;
  const amount = dollars(net).abs();
  const each = amount.div(items);
  const isBelow = rule.threshold > 0 && each.lt(dollars(rule.threshold));
  const over = rule.excessOver > 0 ? Exact.max(0, amount.sub(dollars(rule.excessOver).mul(items))) : amount;
  const base = over.mul(rule.percent).div(100);
  const levels = rule.rates.map((full, level) => {
    const isLuxury = level === 0 && rule.luxuryOver > 0 && amount.gt(dollars(rule.luxuryOver).mul(items));
    const rate = isLuxury ? rule.luxuryRate : isBelow ? (rule.ratesBelow[level] ?? 0) : full;
    const isCapped = rule.capAmount > 0 && level >= rule.capFromLevel;
    const taxable = isCapped ? Exact.min(base, dollars(rule.capAmount).mul(items)) : base;
    const tax = taxable.mul(fraction(rate));
    if (level > 0 || rule.tierRate === 0) return tax;
    const band = Exact.max(
      0,
      Exact.min(amount, dollars(rule.tierTo).mul(items)).sub(dollars(rule.tierFrom).mul(items)),
    );
    return tax.add(band.mul(fraction(rule.tierRate)));
  });
  return levels.reduce((total, tax) => total.add(tax), new Exact(0)).mul(sign);
};

/** Cents, half away from zero. */
export const referenceCents = (tax: ReturnType<typeof referenceTax>): number =>
  tax.mul(100).toDecimalPlaces(0).toNumber() + 0;
