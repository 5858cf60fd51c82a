import { roundBigQuotient } from '../../kernel/rounding.ts';
import type { Order } from './order.ts';
import { addRaw, type RawTax, rateOfRaw, rawTax } from './raw-tax.ts';
import { plainRule, type UnitRule } from './unit-rule.ts';
import { taxUnit, type UnitTax } from './unit-tax.ts';

/** The unrounded tax of an order: the tax of each line and of the freight, and the sums by level. */
export type OrderTax = {
  readonly lines: readonly UnitTax[];
  /** Present only when freight is taxable. */
  readonly shipping: UnitTax | undefined;
  readonly bases: readonly number[];
  /** The nominal rate of each level at which anything was taxed, otherwise 0. */
  readonly rates: readonly number[];
  readonly raws: readonly RawTax[];
  readonly taxable: number;
  readonly raw: RawTax;
};

/**
 * How freight is taxed: never; in full as soon as a line is taxed; or in proportion to the share of the taxed goods in
 * the total price, at their rates.
 */
export type Freight = 'never' | 'with-taxable-lines' | 'shared';

/** The rules of an order: the rule of each line, the plain rate of each level, and the treatment of freight. */
export type OrderRules = {
  readonly lineRules: readonly UnitRule[];
  readonly rates: readonly number[];
  readonly freight: Freight;
};

/** Add up the tax of an order. Every figure of the result is later rounded once, from these sums. */
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

/** Tax the freight of an order, in full at the plain rates or in proportion to the goods; `undefined` if untaxed. */
const taxFreight = (
  { freight, rates }: OrderRules,
  { lines, shipping }: Order,
  taxed: readonly UnitTax[],
): UnitTax | undefined => {
  if (freight === 'never' || !taxed.some((unit) => unit.taxed)) return undefined;
  const net = lines.reduce((total, line) => total + line.net, 0);
  const isShareable = net !== 0 && lines.every((line) => line.net * net >= 0);
  if (freight === 'shared' && isShareable) return shareFreight(shipping, net, taxed);
  return taxUnit(plainRule(rates), shipping, 1);
};

/** Tax freight in proportion: each level takes the same share of the freight as of the goods. */
const shareFreight = (shipping: number, net: number, taxed: readonly UnitTax[]): UnitTax => {
  const share = (amount: RawTax): RawTax => {
    const sign = net < 0 ? -1n : 1n;
    const part = roundBigQuotient(BigInt(shipping) * BigInt(amount) * sign, BigInt(Math.abs(net)));
    const small = Number(part);
    return Number.isSafeInteger(small) ? small : part;
  };
  const levels = levelsOf(taxed).map((level) => {
    const base = taxed.reduce((total, { bases }) => total + at(bases, level), 0);
    const raw = taxed.reduce<RawTax>(
      (total, { bases, rates }) => addRaw(total, rawTax(at(bases, level), at(rates, level))),
      0,
    );
    const rates = new Set(
      taxed.filter(({ bases }) => at(bases, level) !== 0).map((unit) => at(unit.rates, level)),
    );
    const [rate = 0, ...others] = rates;
    return {
      base: Number(share(base)),
      raw: share(raw),
      rate: others.length === 0 ? rate : rateOfRaw(raw, base),
    };
  });
  const bases = levels.map(({ base }) => base);
  const raws = levels.map(({ raw }) => raw);
  return {
    bases,
    rates: levels.map(({ rate }) => rate),
    raws,
    taxable: shipping < 0 ? Math.min(...bases) : Math.max(...bases),
    raw: raws.reduce(addRaw),
    taxed: true,
  };
};

const levelsOf = (taxed: readonly UnitTax[]): readonly number[] =>
  (taxed[0]?.rates ?? []).map((_, level) => level);

const at = (values: readonly number[], level: number): number => values[level] as number;
