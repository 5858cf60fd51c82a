import type {
  TaxResult,
  UsBreakdown,
  UsLineBreakdown,
  UsShippingBreakdown,
} from '../../contract/tax-result.ts';
import { DefectError } from '../../kernel/errors.ts';
import { type Money, subtract, ZERO } from '../../kernel/money.ts';
import { moneyOfPrice, PRICES_PER_CENT, type Price } from '../../kernel/price.ts';
import { netOf } from '../sales/read-lines.ts';
import type { RefundedPart } from '../sales/sale.ts';
import { answerLineIds } from '../sales/tax-request-of.ts';
import { type Fraction, wholeCents } from './fraction.ts';
import {
  type Asked,
  givenBack,
  NONE,
  type Part,
  type Range,
  rangeOf,
  rangesOf,
  taxesOf,
  taxesOfOrder,
  upTo,
} from './given-back.ts';
import { leviedBy } from './levied-levels.ts';
import { isUsBreakdown, LEVELS, type Level, SHIPPING_UNIT, type TaxUnit, taxModelOf } from './tax-model.ts';

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
  const taxes = taxesOfOrder(all, { rest, all: ranges.all });
  const levels = levelTaxesOf({ ...answer, breakdown }, all, taxes);
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
  answer: TaxResult & { readonly breakdown: UsBreakdown },
  units: readonly UnitPart[],
  taxes: readonly Part[],
): ((level: Level) => Money) => {
  const leviedUpTo = (end: 'before' | 'after'): ReadonlyMap<Level, Money> => {
    const [state, county, city, special] = LEVELS.map((level) => ({
      taxable: upTo(end, taxableOf(units, level)),
      tax: upTo(end, taxOfLevel(units, level)),
    })) as [LevelFigures, LevelFigures, LevelFigures, LevelFigures];
    const levied = leviedBy({
      ...answer,
      amount_to_collect: upTo(end, taxes),
      breakdown: {
        ...answer.breakdown,
        state_taxable_amount: state.taxable,
        state_tax_collectable: state.tax,
        county_taxable_amount: county.taxable,
        county_tax_collectable: county.tax,
        city_taxable_amount: city.taxable,
        city_tax_collectable: city.tax,
        special_district_taxable_amount: special.taxable,
        special_district_tax_collectable: special.tax,
      },
    });
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
  const [state, county, city, special] = LEVELS.map((level) => ({
    taxable: givenBack(taxableOf(units, level)),
    tax: givenBack(taxOfLevel(units, level)),
  })) as [LevelFigures, LevelFigures, LevelFigures, LevelFigures];
  return {
    taxable_amount: givenBack(units.map((unit) => ({ whole: wholeTaxable(unit), range: unit.range }))),
    tax_collectable: givenBack(units.flatMap(taxesOf)),
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
