import type {
  TaxResult,
  UsBreakdown,
  UsLineBreakdown,
  UsShippingBreakdown,
} from '../../contract/tax-result.ts';
import { DefectError } from '../../kernel/errors.ts';
import { add, type Money, subtract, ZERO } from '../../kernel/money.ts';
import { moneyOfPrice, PRICES_PER_CENT, type Price, price, priceOfMoney } from '../../kernel/price.ts';
import { roundBigQuotient } from '../../kernel/rounding.ts';
import { netOf } from '../sales/read-lines.ts';
import type { RefundedPart, Sale, SaleLine } from '../sales/sale.ts';
import { answerLineIds } from '../sales/tax-request-of.ts';
import { type Fraction, NOTHING, plus, rounded, wholeCents } from './fraction.ts';
import {
  isUsBreakdown,
  LEVELS,
  type LevelShare,
  SHIPPING_UNIT,
  type TaxModel,
  type TaxUnit,
  taxModelOf,
  taxOf,
} from './tax-model.ts';

type Asked = Pick<Sale, 'amount' | 'shipping' | 'lines' | 'partOf'>;

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
  const tax = givenBack([...all.flatMap(taxesOf), { whole: wholeCents(rest), range: ranges.all }]);
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
      state_tax_collectable: ofOrder.state_amount,
      county_taxable_amount: ofOrder.county_taxable_amount,
      county_tax_collectable: ofOrder.county_amount,
      city_taxable_amount: ofOrder.city_taxable_amount,
      city_tax_collectable: ofOrder.city_amount,
      special_district_taxable_amount: ofOrder.special_district_taxable_amount,
      special_district_tax_collectable: ofOrder.special_district_amount,
      ...(isFreightTaxed && { shipping: shippingOf(freight.printed, figuresOf([freight])) }),
      line_items: lineItemsOf(sale, partOf, breakdown, lines),
    },
  };
};

/**
 * Returns the model of a refund of a part of an order from that of the order. Its units are the lines of the refund, and
 * all of the goods where it has none.
 */
export const modelOfPart = (
  order: TaxModel,
  sale: Omit<Asked, 'partOf'> & { readonly partOf: RefundedPart },
): TaxModel => {
  const { lines, partOf } = sale;
  const ranges = rangesOf(sale, partOf);
  const goods = order.units.filter(({ id }) => id !== SHIPPING_UNIT);
  const freight = order.units.filter(({ id }) => id === SHIPPING_UNIT);
  const rangeAt = (position: number): Range => ranges.lines[position] ?? NONE;
  const units =
    lines.length === 0
      ? answerLineIds(sale).map((id) => ({
          id,
          shares: goods.flatMap((unit, position) => sharesOfPart(unit, rangeAt(position))),
        }))
      : lines.map((line, index) => {
          const position = partOf.positions[index] ?? -1;
          const range = rangeOf(0, netOf(line), rangeAt(position).of);
          return { id: line.id, shares: sharesOfPart(goods[position], range) };
        });
  const parts = {
    units: [
      ...units,
      ...freight.map(({ id, shares }) => ({ id, shares: sharesOfPart({ shares }, ranges.shipping) })),
    ],
    rest: ZERO,
    grain: order.grain,
  };
  const due = givenBack([
    ...goods.flatMap((unit, position) => taxesOf({ unit, range: rangeAt(position) })),
    ...freight.flatMap((unit) => taxesOf({ unit, range: ranges.shipping })),
    { whole: wholeCents(order.rest), range: ranges.all },
  ]);
  return { ...parts, rest: subtract(due, taxOf(parts)) };
};

const sharesOfPart = (
  unit: Pick<TaxUnit, 'shares'> | undefined,
  { before, after, of }: Range,
): readonly LevelShare[] => {
  if (!unit || of === 0) return [];
  const now = BigInt(after - before);
  return unit.shares.map(({ tax, taxable, ...share }) => ({
    ...share,
    taxable: price(Number(roundBigQuotient(BigInt(taxable) * now, BigInt(of)))),
    tax: { dividend: tax.dividend * now, divisor: tax.divisor * BigInt(of) },
  }));
};

/** How much of an amount was given back before a refund and with it, in the unit of the amount. */
type Range = { readonly before: number; readonly after: number; readonly of: number };

const NONE: Range = { before: 0, after: 0, of: 0 };

/** An exact figure of the order, and how much of it is given back. */
type Part = { readonly whole: Fraction; readonly range: Range };

/** What parts come to with a refund, less what they came to before it, both rounded once. */
const givenBack = (parts: readonly Part[]): Money => {
  const upTo = (end: 'before' | 'after'): Money =>
    rounded(
      parts
        .filter(({ range }) => range.of !== 0)
        .map(({ whole: { dividend, divisor }, range }) => ({
          dividend: dividend * BigInt(range[end]),
          divisor: divisor * BigInt(range.of),
        }))
        .reduce(plus, NOTHING),
    );
  return subtract(upTo('after'), upTo('before'));
};

type Ranges = { readonly all: Range; readonly shipping: Range; readonly lines: readonly Range[] };

/** Returns what is given back of the amount, the shipping and each line of the order. */
const rangesOf = ({ amount, shipping, lines }: Asked, partOf: RefundedPart): Ranges => {
  const goods = goodsOf(partOf);
  const shippingBefore = partOf.before?.shipping ?? ZERO;
  const goodsBefore = goods.map((_, index) => priceOfMoney(partOf.before?.goods[index] ?? ZERO));
  const ofAll = { before: totalOf(goodsBefore), of: totalOf(goods) };
  return {
    all: rangeOf(add(shippingBefore, moneyOfPrice(price(ofAll.before))), amount, partOf.amount),
    shipping: rangeOf(shippingBefore, shipping, partOf.shipping),
    lines: goods.map((of, index) =>
      lines.length === 0
        ? rangeOf(ofAll.before, priceOfMoney(subtract(amount, shipping)), ofAll.of)
        : rangeOf(goodsBefore[index] ?? 0, totalOf(partsOfLine(index, lines, partOf)), of),
    ),
  };
};

const rangeOf = (before: number, now: number, of: number): Range => ({ before, after: before + now, of });

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

/** A line or the shipping of an order as the answer prints it, its exact tax, and how much of it is given back. */
type UnitPart = {
  readonly printed: UsLineBreakdown | UsShippingBreakdown;
  readonly unit: TaxUnit | undefined;
  readonly range: Range;
};

const taxesOf = ({ unit, range }: Pick<UnitPart, 'unit' | 'range'>): readonly Part[] =>
  (unit?.shares ?? []).map(({ tax }) => ({ whole: tax, range }));

/** The figures that lines, shipping and orders share, with the names of a line. */
const figuresOf = (parts: readonly UnitPart[]) => {
  const [state, county, city, special] = LEVELS.map((level) => {
    const shares = parts.flatMap(({ unit, range }) =>
      (unit?.shares ?? []).filter((share) => share.level === level).map((share) => ({ ...share, range })),
    );
    return {
      taxable: givenBack(shares.map(({ taxable, range }) => ({ whole: centsOf(taxable), range }))),
      tax: givenBack(shares.map(({ tax, range }) => ({ whole: tax, range }))),
    };
  }) as [LevelFigures, LevelFigures, LevelFigures, LevelFigures];
  return {
    taxable_amount: givenBack(
      parts.map(({ printed, range }) => ({ whole: wholeCents(printed.taxable_amount), range })),
    ),
    tax_collectable: givenBack(parts.flatMap(taxesOf)),
    state_taxable_amount: state.taxable,
    state_amount: state.tax,
    county_taxable_amount: county.taxable,
    county_amount: county.tax,
    city_taxable_amount: city.taxable,
    city_amount: city.tax,
    special_district_taxable_amount: special.taxable,
    special_district_amount: special.tax,
  };
};

/** Adds to the shipping of the order's answer the figures of its part. */
const shippingOf = (
  printed: UsShippingBreakdown,
  { special_district_taxable_amount: special, ...figures }: ReturnType<typeof figuresOf>,
): UsShippingBreakdown => ({ ...printed, ...figures, special_taxable_amount: special });

type LevelFigures = { readonly taxable: Money; readonly tax: Money };

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
