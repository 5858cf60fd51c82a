import { type Amount, above, absolute, isNegative, isOver, percentOf, upTo, wholeAmount } from './amount.ts';
import type { CutFigures, ExactFigures, Figures } from './figures.ts';
import { type Integer, plus, times } from './integer.ts';
import type { RawTax } from './raw-tax.ts';
import type { UnitRule } from './unit-rule.ts';

type Taxing = {
  /** The rate of each level. */
  readonly rates: readonly number[];
  /** Whether any level would tax this unit if its price were not zero. */
  readonly taxed: boolean;
};

/** The exact tax on one unit: a line item, or the shipping. */
export type ExactTax = ExactFigures & Taxing;

/** The unrounded tax on one unit, from which each figure is rounded once. */
export type UnitTax = CutFigures & Taxing;

const NOTHING = wholeAmount(0);

/**
 * Tax one unit. Thresholds and caps apply to the price of one item after its share of the discount; comparing the line
 * with the threshold times the quantity avoids a division. A negative unit mirrors a positive one.
 *
 * @param price the price that is compared with the limits, if it differs from the taxed price
 */
export const taxUnit = (rule: UnitRule, net: Amount, quantity: number, price: Amount = net): ExactTax => {
  const sign = isNegative(net) ? -1 : 1;
  const amount = absolute(net);
  const items = Math.max(quantity, 1);
  const rates = ratesAt(rule, absolute(price), items);
  const base = percentOf(above(amount, rule.excessOver * items), rule.percent);
  const capped = rule.capAmount > 0 ? upTo(base, rule.capAmount * items) : base;
  const band = rule.tierRate > 0 ? above(upTo(amount, rule.tierTo * items), rule.tierFrom * items) : NOTHING;
  const { bases, raws, taxable, raw } = figuresOf(
    rule,
    rates,
    base.whole * sign + 0,
    capped.whole * sign + 0,
    band.whole * sign + 0,
  );
  const taxed = hasRate(rates) && (rule.excessOver === 0 || base.whole > 0 || base.part > 0);
  if (base.part === 0 && band.part === 0)
    return { bases, raws, taxable, raw, rates, taxed, parts: undefined };
  const parts = figuresOf(
    rule,
    rates,
    times(base.part, sign),
    times(capped.part, sign),
    times(band.part, rule.percent === 100 ? sign : sign * 100),
  );
  return { bases, raws, taxable, raw, rates, taxed, parts: { ...parts, divisor: base.divisor } };
};

const hasRate = (rates: readonly number[]): boolean => {
  for (const rate of rates) if (rate > 0) return true;
  return false;
};

/** Return the rates on an item, by its price. */
const ratesAt = (rule: UnitRule, price: Amount, items: number): readonly number[] => {
  const isBelow = rule.threshold > 0 && price.whole < rule.threshold * items;
  const isLuxury = rule.luxuryOver > 0 && isOver(price, rule.luxuryOver * items);
  const rates = isBelow ? rule.ratesBelow : rule.rates;
  return isLuxury ? rates.with(0, rule.luxuryRate) : rates;
};

/**
 * Compute figures of the whole numbers of amounts, and of their parts alike: of the base, of what a cap leaves of it, and
 * of a band of the price.
 */
const figuresOf = <Base extends Integer>(
  { capFromLevel, tierRate }: UnitRule,
  rates: readonly number[],
  base: Base,
  capped: Base,
  band: Base,
): Figures<Base> => {
  const bases: Base[] = [];
  const raws: RawTax[] = [];
  let taxable = 0 as Base;
  let raw: RawTax = 0;
  for (let level = 0; level < rates.length; level += 1) {
    const rate = rates[level] as number;
    const levelBase = rate === 0 ? (0 as Base) : level < capFromLevel ? base : capped;
    let levelRaw = times(levelBase, rate);
    if (level === 0 && tierRate > 0) levelRaw = plus(levelRaw, times(band, tierRate));
    bases.push(levelBase);
    raws.push(levelRaw);
    raw = plus(raw, levelRaw);
    // Levels with a cap come last: the first base is the largest.
    if (taxable === 0) taxable = levelBase;
  }
  return { bases, raws, taxable, raw };
};
