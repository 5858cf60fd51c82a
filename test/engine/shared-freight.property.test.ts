import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { centsOfBase, centsOfRaw, combinedRate } from '../../src/engine/figures.ts';
import { type Freight, plainRule, taxOrder, type UnitRule } from '../../src/engine/order-tax.ts';
import { price } from '../../src/kernel/money.ts';
import { runs } from '../support/runs.ts';
import { add, div, type Fraction, isLess, mul, of, rounded, sub } from './fractions.ts';
import { anyUnitRule } from './unit-rules.ts';

/**
 * The tax of an order as the law reads, in fractions: nothing is rounded before the end. Prices are ten-thousandths of a
 * dollar, rates ten-millionths.
 */
type Line = {
  readonly rule: UnitRule;
  readonly net: number;
  readonly quantity: number;
};
type Taxed = {
  readonly bases: readonly Fraction[];
  readonly taxable: Fraction;
  readonly tax: Fraction;
};

const NOTHING = of(0);
const least = (one: Fraction, other: Fraction) => (isLess(one, other) ? one : other);
const above = (one: Fraction, limit: Fraction) => (isLess(one, limit) ? NOTHING : sub(one, limit));
const isZero = (one: Fraction) => one[0] === 0n;

const unit = (
  rule: UnitRule,
  net: Fraction,
  quantity: number,
  price: Fraction,
): Taxed & { taxed: boolean } => {
  const pieces = of(Math.max(1, quantity));
  const sign = of(isLess(net, NOTHING) ? -1 : 1);
  const each = div(mul(net, sign), pieces);
  const limit = div(isLess(price, NOTHING) ? mul(price, of(-1)) : price, pieces);
  const isBelow = rule.threshold > 0 && isLess(limit, of(rule.threshold));
  const isLuxury = rule.luxuryOver > 0 && isLess(of(rule.luxuryOver), limit);
  const over = rule.excessOver > 0 ? above(each, of(rule.excessOver)) : each;
  const base = div(mul(over, of(rule.percent)), of(100));
  let tax = NOTHING;
  let taxable = NOTHING;
  let taxed = false;
  const bases = rule.rates.map((full, level) => {
    const rate = level === 0 && isLuxury ? rule.luxuryRate : isBelow ? (rule.ratesBelow[level] ?? 0) : full;
    const isCapped = rule.capAmount > 0 && level >= rule.capFromLevel;
    const part = rate === 0 ? NOTHING : isCapped ? least(base, of(rule.capAmount)) : base;
    tax = add(tax, mul(part, of(rate)));
    if (level === 0 && rule.tierRate > 0)
      tax = add(tax, mul(above(least(each, of(rule.tierTo)), of(rule.tierFrom)), of(rule.tierRate)));
    if (isLess(taxable, part)) taxable = part;
    if (rate > 0 && (rule.excessOver === 0 || !isZero(base))) taxed = true;
    return mul(mul(part, pieces), sign);
  });
  const inAll = (one: Fraction) => mul(mul(one, pieces), sign);
  return { bases, taxable: inAll(taxable), tax: inAll(tax), taxed };
};

const total = (all: readonly Fraction[]) => all.reduce(add, NOTHING);

/** The tax in all, and the taxable amount in all. */
const reference = (
  lines: readonly Line[],
  shipping: number,
  freight: Freight,
  rates: readonly number[],
  inLimits: boolean,
) => {
  const sharesOf = (some: readonly Line[]) => {
    const sum = some.reduce((all, { net }) => all + Math.abs(net), 0);
    const isShared = some.some(({ net }) => net > 0) !== some.some(({ net }) => net < 0);
    return isShared ? some.map(({ net }) => div(mul(of(shipping), of(Math.abs(net))), of(sum))) : undefined;
  };
  const limits = inLimits ? sharesOf(lines) : undefined;
  const goods = lines.map((line, index) => {
    const at = add(of(line.net), limits?.[index] ?? NOTHING);
    return { ...line, at, alone: unit(line.rule, of(line.net), line.quantity, at) };
  });
  const plain = unit(plainRule(rates), of(shipping), 1, of(shipping));
  const priced = goods.some(({ net }) => net !== 0) ? goods.filter(({ net }) => net !== 0) : goods;
  const taxed = priced.filter(({ alone }) => alone.taxed);
  const freightTax = () => {
    if (freight === 'never') return [];
    if (freight === 'by-itself') return [plain];
    const carrying = freight === 'shared' ? priced : taxed;
    const shares = freight === 'in-full' ? undefined : sharesOf(carrying);
    if (!shares) return taxed.length > 0 ? [plain] : [];
    const delivered = carrying.map(({ rule, net, quantity, at }, index) =>
      unit(rule, add(of(net), shares[index] ?? NOTHING), quantity, at),
    );
    if (!delivered.some((one) => one.taxed)) return [];
    return [
      {
        tax: sub(total(delivered.map(({ tax }) => tax)), total(carrying.map(({ alone }) => alone.tax))),
        taxable: sub(
          total(delivered.map(({ taxable }) => taxable)),
          total(carrying.map(({ alone }) => alone.taxable)),
        ),
      },
    ];
  };
  const units = [...goods.map(({ alone }) => alone), ...freightTax()];
  return { tax: total(units.map(({ tax }) => tax)), taxable: total(units.map(({ taxable }) => taxable)) };
};

const anyLine = fc.record({
  rule: fc.oneof(
    anyUnitRule,
    anyUnitRule.map(({ rates }) => plainRule(rates)),
  ),
  net: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 50_000 }).map((cents) => cents * 100),
    fc.integer({ min: 1, max: 9_000_000_000 }),
    fc.integer({ min: 1, max: 1_000_000_000_000_000 }),
  ),
  quantity: fc.oneof(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 1_000_000_000 })),
});
const anyOrder = fc.record({
  lines: fc.array(anyLine, { minLength: 1, maxLength: 5 }),
  shipping: fc.oneof(
    fc.integer({ min: 0, max: 5_000 }).map((cents) => cents * 100),
    fc.integer({ min: 0, max: 900_000_000 }),
  ),
  freight: fc.constantFrom<Freight>('by-itself', 'in-full', 'with-taxable-lines', 'shared'),
  rates: fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 4, maxLength: 4 }),
  inLimits: fc.boolean(),
  sign: fc.constantFrom(1, -1),
});

test('an order whose lines share the freight is taxed by the fractions of a calculation that rounds only at the end', () => {
  fc.assert(
    fc.property(anyOrder, ({ lines: positive, shipping: charge, freight, rates, inLimits, sign }) => {
      const lines = positive.map((line) => ({ ...line, net: line.net * sign + 0 }));
      const shipping = charge * sign + 0;
      const order = {
        lines: lines.map(({ net, quantity }, index) => ({
          id: String(index),
          code: '',
          net: price(net),
          quantity,
        })),
        itemized: true,
        shipping: price(shipping),
        total: price(0),
      };
      const rules = {
        lineRules: lines.map(({ rule }) => rule),
        rates,
        freight,
        isFreightInLimits: inLimits,
      };
      const tax = taxOrder(order, rules);
      const exact = reference(lines, shipping, freight, rates, inLimits);
      expect(centsOfRaw(tax.raw)).toBe(rounded(div(exact.tax, of(1_000_000_000))));
      expect(centsOfBase(tax.taxable)).toBe(rounded(div(exact.taxable, of(100))));
      const steps = isZero(exact.taxable) ? 0 : rounded(div(div(exact.tax, exact.taxable), of(100)));
      // A ratio that cannot be a rate is none.
      expect(combinedRate(tax)).toBe(Number.isSafeInteger(steps * 100) ? steps * 100 : 0);
    }),
    { numRuns: runs(10_000) },
  );
});
