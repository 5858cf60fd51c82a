import { taxFreight } from './freight-tax.ts';
import type { Order } from './order.ts';
import { addRaw, type RawTax } from './raw-tax.ts';
import type { UnitRule } from './unit-rule.ts';
import { taxUnit, type UnitTax } from './unit-tax.ts';

/** The unrounded tax of an order: what each line and the freight add, and the sums by level. */
export type OrderTax = {
  readonly lines: readonly UnitTax[];
  /** Only when freight is taxable. */
  readonly shipping: UnitTax | undefined;
  readonly bases: readonly number[];
  /** The nominal rate of each level at which anything was taxed, else 0. */
  readonly rates: readonly number[];
  readonly raws: readonly RawTax[];
  readonly taxable: number;
  readonly raw: RawTax;
};

/**
 * How freight is taxed: never; in full as soon as a line is taxed; or in the share that the taxed goods have in the
 * price of all, at their rates.
 */
export type Freight = 'never' | 'with-taxable-lines' | 'shared';

/** How an order is to be taxed: the rule of each line, the plain rate of each level, and how freight follows. */
export type OrderRules = {
  readonly lineRules: readonly UnitRule[];
  readonly rates: readonly number[];
  readonly freight: Freight;
};

/** Sum up. Every figure of the result is later rounded once, from these sums. */
export const taxOrder = (order: Order, rules: OrderRules): OrderTax => {
  const { lineRules, rates: nominal } = rules;
  const lines = order.lines.map((line, index) =>
    taxUnit(lineRules[index] as UnitRule, line.net, line.quantity),
  );
  const shipping = taxFreight(rules, order, lines);
  const bases: number[] = nominal.map(() => 0);
  const rates: number[] = nominal.map(() => 0);
  const raws: RawTax[] = nominal.map(() => 0);
  let taxable = 0;
  let raw: RawTax = 0;
  const include = (unit: UnitTax): void => {
    for (let level = 0; level < nominal.length; level += 1) {
      const base = unit.bases[level] as number;
      if (base === 0) continue;
      bases[level] = (bases[level] as number) + base;
      raws[level] = addRaw(raws[level] as RawTax, unit.raws[level] as RawTax);
      const unitRate = unit.rates[level] as number;
      if (rates[level] === 0 || unitRate === nominal[level]) rates[level] = unitRate;
    }
    taxable += unit.taxable;
    raw = addRaw(raw, unit.raw);
  };
  for (const unit of lines) include(unit);
  if (shipping) include(shipping);
  return { lines, shipping, bases, rates, raws, taxable, raw };
};
