import {
  type CutFigures,
  cutFigures,
  type Figures,
  hasBase,
  type RawTax,
  rateOfLevel,
  shareOf,
  sumOf,
} from './figures.ts';
import {
  type Amount,
  above,
  absolute,
  type Integer,
  isBelow,
  isOver,
  type Order,
  type OrderLine,
  percentOf,
  plus,
  times,
  upTo,
  wholeAmount,
} from './order.ts';

/** The unrounded tax of an order: the tax of each line and of the freight, and the sums by level. */
export type OrderTax = CutFigures & {
  readonly lines: readonly UnitTax[];
  /** Present only when freight is taxable. */
  readonly shipping: UnitTax | undefined;
  /** The nominal rate of each level at which anything was taxed, otherwise 0. */
  readonly rates: readonly number[];
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
    .reduce((least, one) => (magnitudeOf(one) < magnitudeOf(least) ? one : least));
};

const magnitudeOf = ({ raw }: OrderTax) => (raw < 0 ? -raw : raw);

/** The exact tax of the lines and of the freight of an order. */
type Units = { readonly lines: readonly ExactTax[]; readonly shipping: ExactTax | undefined };

const addUp = ({ rates: nominal }: OrderRules, { lines, shipping }: Units): OrderTax => {
  const units = shipping ? [...lines, shipping] : lines;
  return {
    ...cutFigures(sumOf(units)),
    lines: lines.map(cutUnit),
    shipping: shipping && cutUnit(shipping),
    rates: nominal.map((rate, level) => rateAt(units, level, rate)),
  };
};

const cutUnit = (unit: ExactTax): UnitTax => ({
  ...cutFigures(unit),
  rates: unit.rates,
  taxed: unit.taxed,
});

/** Return the nominal rate of a level where a unit is taxed at it, otherwise that of the first unit that is taxed. */
const rateAt = (units: readonly ExactTax[], level: number, nominal: number): number => {
  let first = 0;
  for (const unit of units) {
    if (!hasBase(unit, level)) continue;
    const rate = at(unit.rates, level);
    if (rate === nominal) return rate;
    if (first === 0) first = rate;
  }
  return first;
};

/** A line with its rule, its tax, and the price that limits see. */
type Goods = {
  readonly line: OrderLine;
  readonly rule: UnitRule;
  readonly price: Amount;
  readonly tax: ExactTax;
};

/** Tax an order whose lines share the freight. */
const sharing = ({ lines, shipping }: Order, rules: OrderRules): Units => {
  const total = rules.isFreightInLimits ? totalOf(lines) : undefined;
  const goods = lines.map((line, index): Goods => {
    const rule = at(rules.lineRules, index);
    const net = wholeAmount(line.net);
    const price = total === undefined ? net : deliveredPrice(line, shipping, total);
    return { line, rule, price, tax: taxUnit(rule, net, line.quantity, price) };
  });
  return { lines: goods.map(({ tax }) => tax), shipping: taxFreight(rules, shipping, goods) };
};

/** Tax an order of which a piece of one line carries all freight. */
const carrying = ({ lines, shipping }: Order, { lineRules }: OrderRules, carrier: number): Units => {
  const rule = at(lineRules, carrier);
  const { net, quantity } = at(lines, carrier);
  const pieces = Math.max(quantity, 1);
  const piece = { value: net, divisor: pieces };
  const withFreight = { value: plus(net, times(shipping, pieces)), divisor: pieces };
  const alone = taxUnit(rule, piece, 1, withFreight);
  const delivered = taxUnit(rule, withFreight, 1);
  const others = { value: times(net, pieces - 1), divisor: pieces };
  return {
    lines: lines.map((line, index) => {
      if (index !== carrier) return taxUnit(at(lineRules, index), wholeAmount(line.net), line.quantity);
      return pieces === 1 ? alone : together([alone, taxUnit(rule, others, pieces - 1)]);
    }),
    shipping: delivered.taxed ? difference([delivered], [alone]) : undefined,
  };
};

/** Return the total by which freight is shared; `undefined` where prices are all zero, or of both signs. */
const totalOf = (lines: readonly OrderLine[]): number | undefined => {
  const isShareable = lines.some(({ net }) => net > 0) !== lines.some(({ net }) => net < 0);
  return isShareable ? lines.reduce((total, { net }) => total + net, 0) : undefined;
};

/** Return the price of a line with its share of the freight: net + shipping * |net| / |total|. */
const deliveredPrice = ({ net }: OrderLine, shipping: number, total: number): Amount => ({
  value: times(Math.abs(net), total + shipping),
  divisor: Math.abs(total),
});

/**
 * Tax the freight of an order: what the tax of its goods grows by when their prices include it. Freight that cannot be
 * shared is taxed at the plain rates; `undefined` if untaxed. Free goods carry no freight, unless all are free.
 */
const taxFreight = (
  { freight, rates }: OrderRules,
  shipping: number,
  all: readonly Goods[],
): ExactTax | undefined => {
  if (freight === 'never') return undefined;
  const plain = () => taxUnit(plainRule(rates), wholeAmount(shipping), 1);
  if (freight === 'by-itself') return plain();
  const priced = all.filter(({ line }) => line.net !== 0);
  const goods = priced.length > 0 ? priced : all;
  const taxed = goods.filter(({ tax }) => tax.taxed);
  const carrying = freight === 'shared' ? goods : taxed;
  const carried = carrying.map(({ line }) => line);
  const alone = carrying.map(({ tax }) => tax);
  const total = freight === 'in-full' ? undefined : totalOf(carried);
  if (total === undefined) return taxed.length === 0 ? undefined : plain();
  if (carrying.every(({ rule }) => isProportional(rule))) {
    if (taxed.length === 0) return undefined;
    const [first] = carrying;
    // Goods of one rule need no share, and no fraction.
    if (first && carrying.every(({ rule }) => rule === first.rule))
      return taxUnit(first.rule, wholeAmount(shipping), 1);
    return {
      ...shareOf(sumOf(alone), total < 0 ? -shipping : shipping, Math.abs(total)),
      rates: ratesOf(alone),
      taxed: true,
    };
  }
  const delivered = carrying.map(({ line, rule, price }) =>
    taxUnit(rule, deliveredPrice(line, shipping, total), line.quantity, price),
  );
  return delivered.some((unit) => unit.taxed) ? difference(delivered, alone) : undefined;
};

/** Whether a rule taxes every part of a price alike. */
const isProportional = (rule: UnitRule): boolean =>
  rule.percent === 100 &&
  rule.threshold === 0 &&
  rule.excessOver === 0 &&
  rule.capAmount === 0 &&
  rule.luxuryOver === 0 &&
  rule.tierRate === 0;

/** The tax of goods as delivered less that of the goods alone. A level with several rates has their average. */
const difference = (delivered: readonly ExactTax[], alone: readonly ExactTax[]): ExactTax => ({
  ...sumOf(delivered, alone),
  rates: ratesOf(delivered),
  taxed: true,
});

/** Return the rate of each level: that of all units that it taxes, or the average of several. */
const ratesOf = (units: readonly ExactTax[]): readonly number[] =>
  (units[0]?.rates ?? []).map((_, level) => levelRate(units, level));

const levelRate = (units: readonly ExactTax[], level: number): number => {
  let only: number | undefined;
  for (const unit of units) {
    if (!hasBase(unit, level)) continue;
    const rate = at(unit.rates, level);
    if (only !== undefined && only !== rate) return rateOfLevel(sumOf(units), level);
    only = rate;
  }
  return only ?? 0;
};

const together = (units: readonly ExactTax[]): ExactTax => ({
  ...difference(units, []),
  taxed: units.some(({ taxed }) => taxed),
});

export const at = <Value>(values: readonly Value[], index: number): Value => values[index] as Value;

type Taxing = {
  /** The rate of each level. */
  readonly rates: readonly number[];
  /** Whether any level would tax this unit if its price were not zero. */
  readonly taxed: boolean;
};

/** The exact tax on one unit: a line item, or the shipping. */
export type ExactTax = Figures & Taxing;

/** The unrounded tax on one unit, from which each figure is rounded once. */
export type UnitTax = CutFigures & Taxing;

/**
 * Tax one unit. Thresholds and caps apply to the price of one item after its share of the discount; comparing the line
 * with the threshold times the quantity avoids a division. A negative unit mirrors a positive one.
 *
 * @param price the price that is compared with the limits, if it differs from the taxed price
 */
export const taxUnit = (rule: UnitRule, net: Amount, quantity: number, price: Amount = net): ExactTax => {
  const sign = net.value < 0 ? -1 : 1;
  const amount = absolute(net);
  const items = Math.max(quantity, 1);
  const rates = ratesAt(rule, absolute(price), items);
  const base = percentOf(above(amount, rule.excessOver * items), rule.percent);
  const capped = rule.capAmount > 0 ? upTo(base, rule.capAmount * items) : base;
  const band = above(upTo(amount, rule.tierTo * items), rule.tierFrom * items);
  // All over the divisor of the base.
  const bandSign = rule.percent === 100 ? sign : sign * 100;
  const [whole, part, extra] = [
    times(base.value, sign),
    times(capped.value, sign),
    times(band.value, bandSign),
  ];
  const taxed = hasRate(rates) && (rule.excessOver === 0 || base.value > 0);
  return { ...figuresOf(rule, rates, whole, part, extra), divisor: base.divisor, rates, taxed };
};

const hasRate = (rates: readonly number[]): boolean => {
  for (const rate of rates) if (rate > 0) return true;
  return false;
};

/** Return the rates on an item, by its price. */
const ratesAt = (rule: UnitRule, price: Amount, items: number): readonly number[] => {
  const isExempt = rule.threshold > 0 && isBelow(price, rule.threshold * items);
  const isLuxury = rule.luxuryOver > 0 && isOver(price, rule.luxuryOver * items);
  const rates = isExempt ? rule.ratesBelow : rule.rates;
  return isLuxury ? rates.with(0, rule.luxuryRate) : rates;
};

/** Compute the figures of a base, of what a cap leaves of it, and of a band of the price. */
const figuresOf = (
  { capFromLevel, tierRate }: UnitRule,
  rates: readonly number[],
  base: Integer,
  capped: Integer,
  band: Integer,
) => {
  const bases: Integer[] = [];
  const raws: RawTax[] = [];
  let taxable: Integer = 0;
  let raw: RawTax = 0;
  for (let level = 0; level < rates.length; level += 1) {
    const rate = rates[level] as number;
    const levelBase = rate === 0 ? 0 : level < capFromLevel ? base : capped;
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

/**
 * How one category is taxed at one place on one day, built once and used for every line: numbers only. Rates are in
 * 1e-7, one for each level of the country (US: state, county, city, special). Amounts are 1e-4 dollars per item.
 */
export type UnitRule = {
  readonly rates: readonly number[];
  /** Items below this price are taxed at `ratesBelow`; 0 = no threshold. */
  readonly threshold: number;
  readonly ratesBelow: readonly number[];
  /** Only the price above this is taxed; 0 = the whole price. */
  readonly excessOver: number;
  /** The percentage of the price that is taxed. */
  readonly percent: number;
  /** Levels from this index on tax only the first `capAmount` of an item; 0 = no cap. */
  readonly capAmount: number;
  readonly capFromLevel: number;
  /** Items above `luxuryOver` are taxed at `luxuryRate` by the first level; 0 = no such rule. */
  readonly luxuryOver: number;
  readonly luxuryRate: number;
  /** The first level additionally taxes the price between these two at `tierRate`; 0 = no such rule. */
  readonly tierRate: number;
  readonly tierFrom: number;
  readonly tierTo: number;
  /** What is doubtful about the rule. */
  readonly flags: readonly string[];
};

/** Build a rule that taxes the whole price at some rates. */
export const plainRule = (rates: readonly number[], flags: readonly string[] = []): UnitRule => ({
  rates,
  threshold: 0,
  ratesBelow: rates,
  excessOver: 0,
  percent: 100,
  capAmount: 0,
  capFromLevel: 0,
  luxuryOver: 0,
  luxuryRate: 0,
  tierRate: 0,
  tierFrom: 0,
  tierTo: 0,
  flags,
});
