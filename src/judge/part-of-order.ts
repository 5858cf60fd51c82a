import type { TaxResult, UsBreakdown, UsLineBreakdown, UsShippingBreakdown } from '../contract/tax-result.ts';
import { DefectError } from '../kernel/errors.ts';
import {
  add,
  type Money,
  moneyOfPrice,
  PRICES_PER_CENT,
  type Price,
  price,
  priceOfMoney,
  subtract,
  ZERO,
  ZERO_RATE,
} from '../kernel/money.ts';
import { netOf } from '../sales/read-lines.ts';
import type { RefundedPart, Sale, SaleLine } from '../sales/sale.ts';
import { answerLineIds } from '../sales/service-records.ts';

import {
  type Fraction,
  isUsBreakdown,
  LEVELS,
  type Level,
  type LevelRow,
  levelRowsOf,
  leviedAmong,
  NOTHING,
  plus,
  rounded,
  SHIPPING_UNIT,
  type TaxModel,
  type TaxUnit,
  taxModelOf,
  wholeCents,
} from './tax-model.ts';

/**
 * Returns the answer about a sale from the answer to its request. A refund of a part of an order asks about the order.
 * Each of its figures is that of everything given back with this refund, less that of everything given back before it,
 * both rounded once. So the refunds of a whole order give back exactly its tax.
 */
export const answerAbout = (sale: Asked, answer: TaxResult): TaxResult => {
  const { partOf } = sale;
  if (!partOf || !answer.has_nexus) return answer;
  const { breakdown, ...figures } = answer;
  const own = { ...figures, order_total_amount: sale.amount, shipping: sale.shipping };
  const ranges = rangesOf(sale, partOf);
  const isItemized =
    breakdown && isUsBreakdown(breakdown) && breakdown.line_items?.length === ranges.lines.length;
  if (!isItemized)
    return {
      ...own,
      taxable_amount: givenBack([{ whole: wholeCents(answer.taxable_amount), range: ranges.all }]),
      amount_to_collect: givenBack([{ whole: wholeCents(answer.amount_to_collect), range: ranges.all }]),
    };
  const { units, rest } = taxModelOf(answer, partOf.lines);
  const lines = (breakdown.line_items ?? []).map(
    (printed, index): UnitPart => ({ printed, unit: units[index], range: ranges.lines[index] ?? NONE }),
  );
  const freight = breakdown.shipping && {
    printed: breakdown.shipping,
    unit: units.find(({ id }) => id === SHIPPING_UNIT),
    range: ranges.shipping,
  };
  const all = freight ? [...lines, freight] : lines;
  const ofOrder = figuresOf(all);
  const taxes = taxesOfOrder(all, rest, ranges.all);
  const levels = levelTaxesOf(answer, levelRowsOf(breakdown), all, taxes);
  const tax = givenBack(taxes);
  const isFreightTaxed = freight !== undefined && sale.shipping !== ZERO;
  const { shipping: _, ...rates } = breakdown;
  return {
    ...own,
    taxable_amount: ofOrder.taxable_amount,
    amount_to_collect: tax,
    freight_taxable: isFreightTaxed,
    breakdown: {
      ...rates,
      taxable_amount: ofOrder.taxable_amount,
      tax_collectable: tax,
      state_taxable_amount: ofOrder.state_taxable_amount,
      state_tax_collectable: levels('state'),
      county_taxable_amount: ofOrder.county_taxable_amount,
      county_tax_collectable: levels('county'),
      city_taxable_amount: ofOrder.city_taxable_amount,
      city_tax_collectable: levels('city'),
      special_district_taxable_amount: ofOrder.special_district_taxable_amount,
      special_district_tax_collectable: levels('special'),
      ...(isFreightTaxed && { shipping: shippingOf(freight.printed, figuresOf([freight])) }),
      line_items: lineItemsOf(sale, partOf, breakdown, lines),
    },
  };
};

/**
 * Returns the tax of a level: what jurisdictions get of everything given back, less what they get of it before this
 * refund. So the levels add up to the tax of each refund, and the refunds of a whole order to each level of it.
 */
const levelTaxesOf = (
  { jurisdictions }: TaxResult,
  rows: readonly LevelRow[],
  units: readonly UnitPart[],
  taxes: readonly Part[],
): ((level: Level) => Money) => {
  const leviedUpTo = (end: 'before' | 'after'): ReadonlyMap<Level, Money> => {
    const levels = LEVELS.map((level, index): LevelRow => {
      const [rate = ZERO_RATE] = rows[index] ?? [];
      return [rate, upTo(end, taxableOf(units, level)), upTo(end, taxOfLevel(units, level))];
    });
    const levied = leviedAmong(levels, upTo(end, taxes), jurisdictions);
    return new Map(levied.map(({ level, tax }) => [level, tax]));
  };
  const [before, after] = [leviedUpTo('before'), leviedUpTo('after')];
  return (level) => subtract(after.get(level) ?? ZERO, before.get(level) ?? ZERO);
};

/** A line or the shipping of an order as the answer prints it, its exact tax, and how much of it is given back. */
type UnitPart = {
  readonly printed: UsLineBreakdown | UsShippingBreakdown;
  readonly unit: TaxUnit | undefined;
  readonly range: Range;
};

/** The figures that lines, shipping and orders share, with the names of a line. */
const figuresOf = (units: readonly UnitPart[]) => {
  const taxable = (level: Level): Money => givenBack(taxableOf(units, level));
  const tax = (level: Level): Money => givenBack(taxOfLevel(units, level));
  return {
    taxable_amount: givenBack(units.map((unit) => ({ whole: wholeTaxable(unit), range: unit.range }))),
    tax_collectable: givenBack(units.flatMap(taxesOf)),
    state_taxable_amount: taxable('state'),
    state_amount: tax('state'),
    county_taxable_amount: taxable('county'),
    county_amount: tax('county'),
    city_taxable_amount: taxable('city'),
    city_amount: tax('city'),
    special_district_taxable_amount: taxable('special'),
    special_district_amount: tax('special'),
  };
};

const sharesAt = (units: readonly UnitPart[], level: Level) =>
  units.flatMap(({ unit, range }) =>
    (unit?.shares ?? []).filter((share) => share.level === level).map((share) => ({ ...share, range })),
  );

const taxableOf = (units: readonly UnitPart[], level: Level): readonly Part[] =>
  sharesAt(units, level).map(({ taxable, range }) => ({ whole: centsOf(taxable), range }));

const taxOfLevel = (units: readonly UnitPart[], level: Level): readonly Part[] =>
  sharesAt(units, level).map(({ tax, range }) => ({ whole: tax, range }));

/** Returns the taxable amount of a unit, as exactly as that of its levels if one of them taxes all of it. */
const wholeTaxable = ({ printed, unit }: UnitPart): Fraction => {
  const exact = unit?.shares.find(({ taxable }) => moneyOfPrice(taxable) === printed.taxable_amount);
  return exact ? centsOf(exact.taxable) : wholeCents(printed.taxable_amount);
};

/** Adds to the shipping of the order's answer the figures of its part. */
const shippingOf = (
  printed: UsShippingBreakdown,
  { special_district_taxable_amount: special, ...figures }: ReturnType<typeof figuresOf>,
): UsShippingBreakdown => ({ ...printed, ...figures, special_taxable_amount: special });

const centsOf = (amount: Price): Fraction => ({ dividend: BigInt(amount), divisor: BigInt(PRICES_PER_CENT) });

/**
 * Returns the lines of the answer about a refund. Each line takes its part after those before it that belong to the
 * same line of the order; without lines of its own, the refund has one line with the rates of the order.
 */
const lineItemsOf = (
  sale: Asked,
  { positions }: RefundedPart,
  breakdown: UsBreakdown,
  lines: readonly UnitPart[],
): UsLineBreakdown[] => {
  const ids = answerLineIds(sale);
  if (sale.lines.length === 0) {
    const { combined_tax_rate, county_tax_rate, city_tax_rate, special_tax_rate } = breakdown;
    const rates = { combined_tax_rate, county_tax_rate, city_tax_rate, special_tax_rate };
    return ids.map((id) => ({
      id,
      ...rates,
      state_sales_tax_rate: breakdown.state_tax_rate,
      ...figuresOf(lines),
    }));
  }
  const done = lines.map(({ range }) => range.before);
  return sale.lines.flatMap((line, index) => {
    const position = positions[index] ?? -1;
    const printed = breakdown.line_items?.[position];
    const part = lines[position];
    if (!printed || !part) throw new DefectError(`line ${line.id} of a refund is in no line of its order`);
    const range = rangeOf(done[position] ?? 0, netOf(line), part.range.of);
    done[position] = range.after;
    return [{ ...printed, ...figuresOf([{ ...part, range }]), id: line.id }];
  });
};

/** The amounts of a sale that decide what it gives back of its order. */
export type Asked = Pick<Sale, 'amount' | 'shipping' | 'lines' | 'partOf'>;

/** How much of an amount was given back before a refund and with it, in the unit of the amount. */
type Range = {
  readonly before: number;
  readonly after: number;
  readonly of: number;
};

const NONE: Range = { before: 0, after: 0, of: 0 };

/** An exact figure of the order, and how much of it is given back. */
export type Part = {
  readonly whole: Fraction;
  readonly range: Range;
};

/** What parts come to before a refund, or with it, rounded once. */
const upTo = (end: 'before' | 'after', parts: readonly Part[]): Money => {
  const given = parts
    .filter(({ range }) => range.of !== 0)
    .map(({ whole: { dividend, divisor }, range }) => ({
      dividend: dividend * BigInt(range[end]),
      divisor: divisor * BigInt(range.of),
    }));
  return rounded(given.reduce(plus, NOTHING));
};

/** What parts come to with a refund, less what they came to before it. */
export const givenBack = (parts: readonly Part[]): Money =>
  subtract(upTo('after', parts), upTo('before', parts));

type Ranges = {
  readonly all: Range;
  readonly shipping: Range;
  readonly lines: readonly Range[];
};

/**
 * Returns what is given back of the amount, the shipping and each line of the order. Goods that no line tells go to each
 * line by its share of all goods; a refund of shipping alone leaves each line where it was.
 */
export const rangesOf = ({ amount, shipping, lines }: Asked, partOf: RefundedPart): Ranges => {
  const goods = goodsOf(partOf);
  const shippingBefore = partOf.before?.shipping ?? ZERO;
  const goodsBefore = goods.map((_, index) => priceOfMoney(partOf.before?.goods[index] ?? ZERO));
  const ofAll = { before: totalOf(goodsBefore), of: totalOf(goods) };
  return {
    all: rangeOf(add(shippingBefore, moneyOfPrice(price(ofAll.before))), amount, partOf.amount),
    shipping: rangeOf(shippingBefore, shipping, partOf.shipping),
    lines: goods.map((of, index) =>
      lines.length === 0 && amount !== shipping
        ? rangeOf(ofAll.before, priceOfMoney(subtract(amount, shipping)), ofAll.of)
        : rangeOf(goodsBefore[index] ?? 0, totalOf(partsOfLine(index, lines, partOf)), of),
    ),
  };
};

const rangeOf = (before: number, now: number, of: number): Range => ({
  before,
  after: before + now,
  of,
});

/** Returns the price of each line of the order; goods without lines count as one line, as in the request. */
const goodsOf = ({ amount, shipping, lines }: RefundedPart): readonly number[] =>
  lines.length === 0 ? [priceOfMoney(subtract(amount, shipping))] : lines.map(netOf);

/** Returns the prices of the lines of the refund that belong to a line of the order. */
const partsOfLine = (
  position: number,
  lines: readonly SaleLine[],
  { positions }: RefundedPart,
): readonly number[] => lines.filter((_, index) => positions[index] === position).map(netOf);

const totalOf = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);

/** A line of an order, or its shipping, and how much of it is given back. */
type RangedUnit = Omit<UnitPart, 'printed'>;

/** Returns the exact tax of a unit, level by level, with how much of it is given back. */
const taxesOf = ({ unit, range }: RangedUnit): readonly Part[] =>
  (unit?.shares ?? []).map(({ tax }) => ({ whole: tax, range }));

/**
 * Returns the exact taxes of an order with how much of each is given back. The rest, which no unit shows, goes with the
 * tax of the units, so that what is not taxed has no part of it; without such tax it goes with the amount.
 */
const taxesOfOrder = (units: readonly RangedUnit[], rest: Money, all: Range): readonly Part[] => {
  const taxes = units.flatMap(taxesOf);
  if (rest === ZERO) return taxes;
  const total = taxes.map(({ whole }) => whole).reduce(plus, NOTHING);
  if (total.dividend <= 0n) return [...taxes, { whole: wholeCents(rest), range: all }];
  const shares = taxes.map(({ whole: { dividend, divisor }, range }) => ({
    whole: {
      dividend: BigInt(rest) * dividend * total.divisor,
      divisor: divisor * total.dividend,
    },
    range,
  }));
  return [...taxes, ...shares];
};

/** The amounts of a refund of a part of an order. */
export type SoldPart = Sale & { readonly partOf: RefundedPart };

/**
 * Returns the exact taxes of the model of an order, with how much of each its refund gives back. What its shop states beside
 * lines and shipping goes with the whole amount.
 */
export const taxPartsOf = ({ units, rest }: TaxModel, sale: SoldPart): readonly Part[] => {
  const { all, lines, shipping } = rangesOf(sale, sale.partOf);
  const goods = units.filter(({ id }) => id !== SHIPPING_UNIT);
  const freight = units.filter(({ id }) => id === SHIPPING_UNIT);
  const ranged = [
    ...goods.map((unit, position) => ({ unit, range: lines[position] ?? all })),
    ...freight.map((unit) => ({ unit, range: shipping })),
  ];
  return taxesOfOrder(ranged, rest, all);
};
