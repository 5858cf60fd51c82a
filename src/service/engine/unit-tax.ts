import { roundBigQuotient, roundQuotient } from '../../kernel/rounding.ts';
import { addRaw, type RawTax, rawTax } from './raw-tax.ts';
import type { UnitRule } from './unit-rule.ts';

/** The tax on one unit (a line item, or the shipping), unrounded. Bases are 1e-4 dollars, one for each level. */
export type UnitTax = {
  readonly bases: readonly number[];
  readonly rates: readonly number[];
  readonly raws: readonly RawTax[];
  /** The largest base of any level, which the unit adds to the taxable amount. */
  readonly taxable: number;
  readonly raw: RawTax;
  /** Whether any level would tax this unit if its price were not zero. */
  readonly taxed: boolean;
};

const percentOf = (amount: number, percent: number): number => {
  if (percent === 100) return amount;
  const product = amount * percent;
  return Number.isSafeInteger(product)
    ? roundQuotient(product, 100)
    : Number(roundBigQuotient(BigInt(amount) * BigInt(percent), 100n));
};

const bandOf = (amount: number, from: number, to: number): number => Math.max(0, Math.min(amount, to) - from);

/**
 * Tax one unit. Thresholds and caps apply to the price of one item after its share of the discount; comparing the line
 * with the threshold times the quantity avoids a division. A negative unit mirrors a positive one.
 *
 * @param price the price that is compared with the limits, if it differs from the taxed price
 */
export const taxUnit = (rule: UnitRule, net: number, quantity: number, price = net): UnitTax => {
  const sign = net < 0 ? -1 : 1;
  const amount = net * sign;
  const items = Math.max(quantity, 1);
  const isBelow = rule.threshold > 0 && Math.abs(price) < rule.threshold * items;
  const isLuxury = rule.luxuryOver > 0 && Math.abs(price) > rule.luxuryOver * items;
  const levelRates = isBelow ? rule.ratesBelow : rule.rates;
  const excess = rule.excessOver > 0 ? Math.max(0, amount - rule.excessOver * items) : amount;
  const base = percentOf(excess, rule.percent);
  const bases: number[] = [];
  const rates: number[] = [];
  const raws: RawTax[] = [];
  let taxable = 0;
  let raw: RawTax = 0;
  let taxed = false;
  for (let level = 0; level < levelRates.length; level += 1) {
    const isFirst = level === 0;
    const atRate = isFirst && isLuxury ? rule.luxuryRate : (levelRates[level] as number);
    const isCapped = rule.capAmount > 0 && level >= rule.capFromLevel;
    const capped = isCapped ? Math.min(base, rule.capAmount * items) : base;
    const levelBase = atRate === 0 ? 0 : capped * sign + 0;
    let levelRaw = rawTax(levelBase, atRate);
    if (isFirst && rule.tierRate > 0) {
      const band = bandOf(amount, rule.tierFrom * items, rule.tierTo * items) * sign;
      levelRaw = addRaw(levelRaw, rawTax(band, rule.tierRate));
    }
    bases.push(levelBase);
    rates.push(atRate);
    raws.push(levelRaw);
    raw = addRaw(raw, levelRaw);
    if (levelBase * sign > taxable) taxable = levelBase * sign;
    if (atRate > 0 && (rule.excessOver === 0 || base > 0)) taxed = true;
  }
  return { bases, rates, raws, taxable: taxable * sign + 0, raw, taxed };
};
