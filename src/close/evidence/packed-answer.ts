import type {
  TaxResult,
  UsBreakdown,
  UsLineBreakdown,
  UsShippingBreakdown,
} from '../../contract/tax-result.ts';
import { roundQuotient } from '../../kernel/decimal.ts';
import { type Money, money, RATE_ONE, type Rate, rate } from '../../kernel/money.ts';
import { isUsBreakdown } from '../reconcile/tax-model.ts';
import type { Sale } from '../sales/sale.ts';
import { answerLineIds } from '../sales/service-records.ts';

/**
 * An answer of the tax service as stored in a log. It omits what the sale already contains, and figures of a line that
 * equal its taxable amount times a rate of the order. An answer of another form is stored whole.
 */
export type PackedAnswer = { readonly whole: TaxResult } | PackedUsAnswer;

type PackedUsAnswer = {
  readonly county?: string;
  readonly city?: string;
  readonly taxable: number;
  readonly tax: number;
  /** Stored if it is not the sum of the rates of the levels. */
  readonly rate?: number;
  readonly source?: TaxResult['tax_source'];
  readonly exemption?: TaxResult['exemption_type'];
  /** Rate, taxable amount and tax of each level with a levy. */
  readonly levels: Readonly<Partial<Record<LevelName, readonly [number, number, number]>>>;
  readonly lines: readonly PackedUnit[];
  readonly shipping?: PackedUnit;
};

/**
 * A line or the shipping: only its taxable amount, if everything else follows from the rates of the order; `null` if it
 * is not taxable at any level and has no rates; otherwise the parts that do not follow, level by level in the order of
 * `LEVELS`.
 */
type PackedUnit =
  | null
  | number
  | {
      readonly taxable: number;
      readonly rates?: readonly number[];
      readonly levels?: readonly number[];
      readonly taxes?: readonly number[];
      readonly tax?: number;
    };

const LEVELS = ['state', 'county', 'city', 'special'] as const;
type LevelName = (typeof LEVELS)[number];

const NO_RATES: readonly number[] = LEVELS.map(() => 0);

/** The fields that a line and the shipping share. */
type Unit = UsLineBreakdown | UsShippingBreakdown;
type UnitFigures = {
  readonly taxable: number;
  readonly tax: number;
  readonly rates: readonly number[];
  readonly levels: readonly number[];
  readonly taxes: readonly number[];
};

export const packedAnswer = (result: TaxResult, sale: Sale): PackedAnswer => {
  const { breakdown } = result;
  const isUsual =
    breakdown?.line_items &&
    isUsBreakdown(breakdown) &&
    isAnswerTo(sale, result) &&
    addsUp(result, breakdown, sale);
  return isUsual ? packedUs(result, breakdown) : { whole: result };
};

/** Whether the sale contains everything that the packed answer omits, and the answer has no further fields. */
const isAnswerTo = ({ amount, shipping, shipTo, taxDate }: Sale, result: TaxResult): boolean => {
  const { jurisdictions: places, exemption_type: exemption } = result;
  return (
    result.has_nexus === true &&
    result.order_total_amount === amount &&
    result.shipping === shipping &&
    result.calculation_date === taxDate &&
    places?.country === shipTo.country &&
    places.state === shipTo.state &&
    Object.keys(places).length === 2 + countOf(places.county) + countOf(places.city) &&
    Object.keys(result).length === RESULT_FIELDS + countOf(exemption)
  );
};

/** The same check for the breakdown of the answer. */
const addsUp = (result: TaxResult, breakdown: UsBreakdown, sale: Sale): boolean => {
  const { shipping, line_items: lines = [] } = breakdown;
  const ids = answerLineIds(sale);
  return (
    result.freight_taxable === (shipping !== undefined) &&
    breakdown.taxable_amount === result.taxable_amount &&
    breakdown.tax_collectable === result.amount_to_collect &&
    breakdown.combined_tax_rate === result.rate &&
    Object.keys(breakdown).length === BREAKDOWN_FIELDS + countOf(shipping) &&
    (shipping === undefined || isUsualUnit(shipping, UNIT_FIELDS)) &&
    lines.every((line, index) => line.id === ids[index] && isUsualUnit(line, UNIT_FIELDS + 1))
  );
};

const isUsualUnit = (unit: Unit, fields: number): boolean =>
  unit.combined_tax_rate === sumOf(ratesOf(unit)) && Object.keys(unit).length === fields;

/** Number of required fields in an answer, in its breakdown, and in a unit of the breakdown. */
const [RESULT_FIELDS, BREAKDOWN_FIELDS, UNIT_FIELDS] = [11, 16, 15] as const;

const countOf = (field: unknown): 0 | 1 => (field === undefined ? 0 : 1);

const packedUs = (result: TaxResult, breakdown: UsBreakdown): PackedUsAnswer => {
  const { county, city } = result.jurisdictions ?? {};
  const { shipping, line_items: lines = [] } = breakdown;
  const rows = levelsOf(breakdown);
  const rates = rows.map(([of]) => of);
  return {
    ...(county !== undefined && { county }),
    ...(city !== undefined && { city }),
    taxable: result.taxable_amount,
    tax: result.amount_to_collect,
    ...(result.rate !== sumOf(rates) && { rate: result.rate }),
    ...(result.tax_source !== 'destination' && { source: result.tax_source }),
    ...(result.exemption_type !== undefined && { exemption: result.exemption_type }),
    levels: Object.fromEntries(
      LEVELS.flatMap((level, index) => {
        const row = rows[index];
        return row?.some((figure) => figure !== 0) ? [[level, row]] : [];
      }),
    ),
    lines: lines.map((line) => packedUnit(line, line.special_district_taxable_amount, rates)),
    ...(shipping && { shipping: packedUnit(shipping, shipping.special_taxable_amount, rates) }),
  };
};

const levelsOf = (of: UsBreakdown): readonly (readonly [number, number, number])[] => [
  [of.state_tax_rate, of.state_taxable_amount, of.state_tax_collectable],
  [of.county_tax_rate, of.county_taxable_amount, of.county_tax_collectable],
  [of.city_tax_rate, of.city_taxable_amount, of.city_tax_collectable],
  [of.special_tax_rate, of.special_district_taxable_amount, of.special_district_tax_collectable],
];

const ratesOf = (unit: Unit): readonly number[] => [
  unit.state_sales_tax_rate,
  unit.county_tax_rate,
  unit.city_tax_rate,
  unit.special_tax_rate,
];

const packedUnit = (unit: Unit, special: number, orderRates: readonly number[]): PackedUnit => {
  const taxable = unit.taxable_amount;
  const rates = ratesOf(unit);
  const levels = [unit.state_taxable_amount, unit.county_taxable_amount, unit.city_taxable_amount, special];
  const taxes = [unit.state_amount, unit.county_amount, unit.city_amount, unit.special_district_amount];
  const usual = usualFigures(taxable, rates);
  const follows =
    isSame(levels, usual.levels) && isSame(taxes, usual.taxes) && unit.tax_collectable === usual.tax;
  if (follows && isSame(rates, orderRates)) return taxable;
  if (follows && taxable === 0 && isSame(rates, NO_RATES)) return null;
  return {
    taxable,
    ...(!isSame(rates, orderRates) && { rates }),
    ...(!isSame(levels, usual.levels) && { levels }),
    ...(!isSame(taxes, usual.taxes) && { taxes }),
    ...(unit.tax_collectable !== usual.tax && { tax: unit.tax_collectable }),
  };
};

/** Computes the figures of a unit that is taxable at every rate that is not zero. */
const usualFigures = (taxable: number, rates: readonly number[]): UnitFigures => {
  const [levels, taxes]: [number[], number[]] = [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
  ];
  let combined = 0;
  for (let index = 0; index < LEVELS.length; index += 1) {
    const of = rates[index] ?? 0;
    if (of === 0) continue;
    levels[index] = taxable;
    taxes[index] = timesRate(taxable, of);
    combined += of;
  }
  return { taxable, rates, levels, taxes, tax: timesRate(taxable, combined) };
};

/** Multiplies an amount by a rate; `NaN`, which equals no number, if the product is too large to be exact. */
const timesRate = (taxable: number, of: number): number => {
  const product = taxable * of;
  return Number.isSafeInteger(product) ? roundQuotient(product, RATE_ONE) : Number.NaN;
};

/** Restores the answer as the service gave it. */
export const unpackedAnswer = (packed: PackedAnswer, sale: Sale): TaxResult => {
  if ('whole' in packed) return packed.whole;
  const { levels, lines, shipping } = packed;
  const rows = LEVELS.map((level) => levels[level] ?? [0, 0, 0]);
  const rates = rows.map(([of]) => of);
  const combined = rate(packed.rate ?? sumOf(rates));
  const [state, county, city, special] = rows.map(([of, taxable, tax]) => ({
    rate: rate(of),
    taxable: money(taxable),
    tax: money(tax),
  })) as [LevelRow, LevelRow, LevelRow, LevelRow];
  const ids = answerLineIds(sale);
  return {
    order_total_amount: sale.amount,
    shipping: sale.shipping,
    taxable_amount: money(packed.taxable),
    amount_to_collect: money(packed.tax),
    rate: combined,
    has_nexus: true,
    freight_taxable: shipping !== undefined,
    tax_source: packed.source === undefined ? 'destination' : packed.source,
    ...(packed.exemption !== undefined && { exemption_type: packed.exemption }),
    jurisdictions: {
      country: sale.shipTo.country,
      state: sale.shipTo.state,
      ...(packed.county !== undefined && { county: packed.county }),
      ...(packed.city !== undefined && { city: packed.city }),
    },
    breakdown: {
      taxable_amount: money(packed.taxable),
      tax_collectable: money(packed.tax),
      combined_tax_rate: combined,
      state_taxable_amount: state.taxable,
      state_tax_rate: state.rate,
      state_tax_collectable: state.tax,
      county_taxable_amount: county.taxable,
      county_tax_rate: county.rate,
      county_tax_collectable: county.tax,
      city_taxable_amount: city.taxable,
      city_tax_rate: city.rate,
      city_tax_collectable: city.tax,
      special_district_taxable_amount: special.taxable,
      special_tax_rate: special.rate,
      special_district_tax_collectable: special.tax,
      ...(shipping !== undefined && { shipping: shippingOf(unpackedUnit(shipping, rates)) }),
      line_items: lines.map((line, index) => lineOf(ids[index] ?? '', unpackedUnit(line, rates))),
    },
    calculation_date: sale.taxDate,
  };
};

type LevelRow = { readonly rate: Rate; readonly taxable: Money; readonly tax: Money };

const unpackedUnit = (packed: PackedUnit, orderRates: readonly number[]): UnitFigures => {
  if (packed === null) return usualFigures(0, NO_RATES);
  if (typeof packed === 'number') return usualFigures(packed, orderRates);
  return { ...usualFigures(packed.taxable, packed.rates ?? orderRates), ...packed };
};

const unitOf = ({ taxable, tax, rates, levels, taxes }: UnitFigures) => ({
  taxable_amount: money(taxable),
  tax_collectable: money(tax),
  combined_tax_rate: rate(sumOf(rates)),
  state_taxable_amount: money(levels[0] ?? 0),
  state_sales_tax_rate: rate(rates[0] ?? 0),
  state_amount: money(taxes[0] ?? 0),
  county_taxable_amount: money(levels[1] ?? 0),
  county_tax_rate: rate(rates[1] ?? 0),
  county_amount: money(taxes[1] ?? 0),
  city_taxable_amount: money(levels[2] ?? 0),
  city_tax_rate: rate(rates[2] ?? 0),
  city_amount: money(taxes[2] ?? 0),
  special_tax_rate: rate(rates[3] ?? 0),
  special_district_amount: money(taxes[3] ?? 0),
});

const lineOf = (id: string, figures: UnitFigures): UsLineBreakdown => ({
  id,
  ...unitOf(figures),
  special_district_taxable_amount: money(figures.levels[3] ?? 0),
});

const shippingOf = (figures: UnitFigures): UsShippingBreakdown => ({
  ...unitOf(figures),
  special_taxable_amount: money(figures.levels[3] ?? 0),
});

/** Sums the numbers of the four levels. */
const sumOf = ([state = 0, county = 0, city = 0, special = 0]: readonly number[]): number =>
  state + county + city + special;
const isSame = (left: readonly number[], right: readonly number[]): boolean =>
  left[0] === right[0] && left[1] === right[1] && left[2] === right[2] && left[3] === right[3];
