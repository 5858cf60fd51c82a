import { allocate } from '../../kernel/allocate.ts';
import { money, ZERO } from '../../kernel/money.ts';
import type { Order, OrderLine } from './order.ts';
import { addRaw, type RawTax, rateOfRaw } from './raw-tax.ts';
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
 * How freight is taxed: never; at the plain rates, always or as soon as a line is taxed; or as a part of the price of
 * goods, by which it is shared: of those that are taxed, so that all of it is taxed, or of all.
 */
export type Freight = 'never' | 'by-itself' | 'in-full' | 'with-taxable-lines' | 'shared';

/** The rules of an order: the rule of each line, the plain rate of each level, and the treatment of freight. */
export type OrderRules = {
  readonly lineRules: readonly UnitRule[];
  readonly rates: readonly number[];
  readonly freight: Freight;
  /** Whether the share of an item in the freight counts towards a price below which it is exempt. */
  readonly isFreightInLimits: boolean;
  /** The lines to which the seller may put all freight; `shared` where it may share it. Only that if absent. */
  readonly carriers?: readonly Carrier[];
};

/** The line that carries all freight of an order, or that its lines share it. */
export type Carrier = number | 'shared';

/**
 * Add up the tax of an order: the least that its rules allow. Every figure of the result is later rounded once, from
 * these sums.
 */
export const taxOrder = (order: Order, rules: OrderRules): OrderTax => {
  const { carriers = ['shared'] } = rules;
  return carriers
    .map((carrier) =>
      addUp(rules, carrier === 'shared' ? sharing(order, rules) : carrying(order, rules, carrier)),
    )
    .reduce((least, one) => (one.raw < least.raw ? one : least));
};

type Units = Pick<OrderTax, 'lines' | 'shipping'>;

const addUp = ({ rates: nominal }: OrderRules, { lines, shipping }: Units): OrderTax => {
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

/** A line with its rule, its tax, and the price that limits see. */
type Goods = {
  readonly line: OrderLine;
  readonly rule: UnitRule;
  readonly price: number;
  readonly tax: UnitTax;
};

/** Tax an order whose lines share the freight. */
const sharing = ({ lines, shipping }: Order, rules: OrderRules): Units => {
  const shares = rules.isFreightInLimits ? sharesOf(shipping, lines) : undefined;
  const goods = lines.map((line, index): Goods => {
    const rule = rules.lineRules[index] as UnitRule;
    const price = line.net + (shares?.[index] ?? 0);
    return { line, rule, price, tax: taxUnit(rule, line.net, line.quantity, price) };
  });
  return { lines: goods.map(({ tax }) => tax), shipping: taxFreight(rules, shipping, goods) };
};

/** Tax an order of which a piece of one line carries all freight. */
const carrying = ({ lines, shipping }: Order, { lineRules }: OrderRules, carrier: number): Units => {
  const rule = lineRules[carrier] as UnitRule;
  const { net, quantity } = lines[carrier] as OrderLine;
  const others = Math.max(quantity, 1) - 1;
  const [piece = ZERO, rest = ZERO] = allocate(money(net), [1, others]);
  const alone = taxUnit(rule, piece, 1, piece + shipping);
  const delivered = taxUnit(rule, piece + shipping, 1);
  return {
    lines: lines.map((line, index) => {
      if (index !== carrier) return taxUnit(lineRules[index] as UnitRule, line.net, line.quantity);
      return others === 0 ? alone : together([alone, taxUnit(rule, rest, others)]);
    }),
    shipping: delivered.taxed ? difference([delivered], [alone]) : undefined,
  };
};

/** Share freight by price; `undefined` where prices are all zero, or of both signs. */
const sharesOf = (shipping: number, lines: readonly OrderLine[]): readonly number[] | undefined => {
  const nets = lines.map(({ net }) => net);
  const isShareable = nets.some((net) => net > 0) !== nets.some((net) => net < 0);
  return isShareable ? allocate(money(shipping), nets.map(Math.abs)) : undefined;
};

/**
 * Tax the freight of an order: what the tax of its goods grows by when their prices include it. Freight that cannot be
 * shared is taxed at the plain rates; `undefined` if untaxed.
 */
const taxFreight = (
  { freight, rates }: OrderRules,
  shipping: number,
  goods: readonly Goods[],
): UnitTax | undefined => {
  if (freight === 'never') return undefined;
  if (freight === 'by-itself') return taxUnit(plainRule(rates), shipping, 1);
  const taxed = goods.filter(({ tax }) => tax.taxed);
  const carrying = freight === 'shared' ? goods : taxed;
  const carried = carrying.map(({ line }) => line);
  const shares = freight === 'in-full' ? undefined : sharesOf(shipping, carried);
  if (!shares) return taxed.length === 0 ? undefined : taxUnit(plainRule(rates), shipping, 1);
  const delivered = carrying.map(({ line, rule, price }, index) =>
    taxUnit(rule, line.net + (shares[index] as number), line.quantity, price),
  );
  if (!delivered.some((unit) => unit.taxed)) return undefined;
  return difference(
    delivered,
    carrying.map(({ tax }) => tax),
  );
};

/** The tax of goods as delivered less that of the goods alone. A level with several rates has their average. */
const difference = (delivered: readonly UnitTax[], alone: readonly UnitTax[]): UnitTax => {
  const sumAt = (units: readonly UnitTax[], level: number) => ({
    base: units.reduce((total, { bases }) => total + at(bases, level), 0),
    raw: units.reduce<RawTax>((total, { raws }) => addRaw(total, at(raws, level)), 0),
  });
  const levels = (delivered[0]?.rates ?? []).map((_, level) => {
    const [whole, part] = [sumAt(delivered, level), sumAt(alone, level)];
    const [rate = 0, ...others] = new Set(
      delivered.filter(({ bases }) => at(bases, level) !== 0).map((unit) => at(unit.rates, level)),
    );
    return {
      base: whole.base - part.base,
      raw: addRaw(whole.raw, -part.raw),
      rate: others.length === 0 ? rate : rateOfRaw(whole.raw, whole.base),
    };
  });
  const taxableOf = (units: readonly UnitTax[]) => units.reduce((total, { taxable }) => total + taxable, 0);
  return {
    bases: levels.map(({ base }) => base),
    rates: levels.map(({ rate }) => rate),
    raws: levels.map(({ raw }) => raw),
    taxable: taxableOf(delivered) - taxableOf(alone),
    raw: levels.reduce<RawTax>((total, { raw }) => addRaw(total, raw), 0),
    taxed: true,
  };
};

const together = (units: readonly UnitTax[]): UnitTax => ({
  ...difference(units, []),
  taxed: units.some(({ taxed }) => taxed),
});

const at = <Value>(values: readonly Value[], level: number): Value => values[level] as Value;
