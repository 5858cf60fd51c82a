import type {
  TaxResult,
  UsBreakdown,
  UsLineBreakdown,
  UsShippingBreakdown,
} from '../../contract/tax-result.ts';
import { type Money, money } from '../../kernel/money.ts';
import { RATE_ONE, type Rate, rate } from '../../kernel/rate.ts';
import { roundQuotient } from '../../kernel/rounding.ts';
import { isUsBreakdown } from '../reconcile/tax-model.ts';
import type { Sale } from '../sales/sale.ts';
import { requestLineIds } from '../sales/tax-request-of.ts';
import { sameJson } from './same-json.ts';

/**
 * An answer of the tax service as a log has it. What the sale says already is left out, and so is a figure of a line
 * that is its taxable amount times a rate of the order. An answer of another form stands whole.
 */
export type PackedAnswer = { readonly whole: TaxResult } | PackedUsAnswer;

type PackedUsAnswer = {
  readonly county?: string;
  readonly city?: string;
  readonly taxable: number;
  readonly tax: number;
  /** Where it is not the sum of the rates of the levels. */
  readonly rate?: number;
  readonly source?: TaxResult['tax_source'];
  readonly exemption?: TaxResult['exemption_type'];
  /** Rate, taxable amount and tax of each level that levies anything. */
  readonly levels: Readonly<Partial<Record<LevelName, readonly [number, number, number]>>>;
  readonly lines: readonly PackedUnit[];
  readonly shipping?: PackedUnit;
};

/**
 * A line or the shipping: its taxable amount, where all else follows from the rates of the order; `null` where it is
 * taxable nowhere and has no rates; otherwise what does not follow, level by level in the order of `LEVELS`.
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

/** What is the same of a line and of the shipping. */
type Unit = UsLineBreakdown | UsShippingBreakdown;
type UnitFigures = {
  readonly taxable: number;
  readonly tax: number;
  readonly rates: readonly number[];
  readonly levels: readonly number[];
  readonly taxes: readonly number[];
};

export const packedAnswer = (result: TaxResult, sale: Sale): PackedAnswer => {
  const packed = packedUs(result);
  return packed && sameJson(unpackedAnswer(packed, sale), result) ? packed : { whole: result };
};

const packedUs = (result: TaxResult): PackedUsAnswer | undefined => {
  const { breakdown, jurisdictions } = result;
  if (!breakdown?.line_items || !isUsBreakdown(breakdown)) return undefined;
  const rows = levelsOf(breakdown);
  const rates = rows.map(([of]) => of);
  return {
    ...(jurisdictions?.county !== undefined && { county: jurisdictions.county }),
    ...(jurisdictions?.city !== undefined && { city: jurisdictions.city }),
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
    lines: (breakdown.line_items as readonly UsLineBreakdown[]).map((line) =>
      packedUnit(line, line.special_district_taxable_amount, rates),
    ),
    ...(breakdown.shipping && {
      shipping: packedUnit(breakdown.shipping, breakdown.shipping.special_taxable_amount, rates),
    }),
  };
};

const levelsOf = (of: UsBreakdown): readonly (readonly [number, number, number])[] => [
  [of.state_tax_rate, of.state_taxable_amount, of.state_tax_collectable],
  [of.county_tax_rate, of.county_taxable_amount, of.county_tax_collectable],
  [of.city_tax_rate, of.city_taxable_amount, of.city_tax_collectable],
  [of.special_tax_rate, of.special_district_taxable_amount, of.special_district_tax_collectable],
];

const packedUnit = (unit: Unit, special: number, orderRates: readonly number[]): PackedUnit => {
  const taxable = unit.taxable_amount;
  const rates = [unit.state_sales_tax_rate, unit.county_tax_rate, unit.city_tax_rate, unit.special_tax_rate];
  const levels = [unit.state_taxable_amount, unit.county_taxable_amount, unit.city_taxable_amount, special];
  const taxes = [unit.state_amount, unit.county_amount, unit.city_amount, unit.special_district_amount];
  if (taxable === 0 && rates.every((of) => of === 0)) return null;
  const usual = usualFigures(taxable, rates);
  const others = {
    ...(!isSame(rates, orderRates) && { rates }),
    ...(!isSame(levels, usual.levels) && { levels }),
    ...(!isSame(taxes, usual.taxes) && { taxes }),
    ...(unit.tax_collectable !== usual.tax && { tax: unit.tax_collectable }),
  };
  return Object.keys(others).length === 0 ? taxable : { taxable, ...others };
};

/** The figures of a unit that is taxable at each of these rates that is not zero. */
const usualFigures = (taxable: number, rates: readonly number[]): UnitFigures => {
  const levels = rates.map((of) => (of === 0 ? 0 : taxable));
  return {
    taxable,
    rates,
    levels,
    taxes: rates.map((of) => timesRate(taxable, of)),
    tax: timesRate(taxable, sumOf(rates)),
  };
};

/** `NaN`, which equals nothing, where the product is too large to be exact. */
const timesRate = (taxable: number, of: number): number => {
  const product = taxable * of;
  return Number.isSafeInteger(product) ? roundQuotient(product, RATE_ONE) : Number.NaN;
};

/** The answer as the service gave it. */
export const unpackedAnswer = (packed: PackedAnswer, sale: Sale): TaxResult => {
  if ('whole' in packed) return packed.whole;
  const { levels, lines, shipping } = packed;
  const rows = LEVELS.map((level) => levels[level] ?? [0, 0, 0]);
  const rates = rows.map(([of]) => of);
  const combined = asRate(packed.rate ?? sumOf(rates));
  const [state, county, city, special] = rows.map(([of, taxable, tax]) => ({
    rate: asRate(of),
    taxable: money(taxable),
    tax: money(tax),
  })) as [LevelRow, LevelRow, LevelRow, LevelRow];
  const ids = requestLineIds(sale);
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
  if (packed === null) return usualFigures(0, [0, 0, 0, 0]);
  if (typeof packed === 'number') return usualFigures(packed, orderRates);
  return { ...usualFigures(packed.taxable, packed.rates ?? orderRates), ...packed };
};

const unitOf = ({ taxable, tax, rates, levels, taxes }: UnitFigures) => ({
  taxable_amount: money(taxable),
  tax_collectable: money(tax),
  combined_tax_rate: asRate(sumOf(rates)),
  state_taxable_amount: money(levels[0] ?? 0),
  state_sales_tax_rate: asRate(rates[0] ?? 0),
  state_amount: money(taxes[0] ?? 0),
  county_taxable_amount: money(levels[1] ?? 0),
  county_tax_rate: asRate(rates[1] ?? 0),
  county_amount: money(taxes[1] ?? 0),
  city_taxable_amount: money(levels[2] ?? 0),
  city_tax_rate: asRate(rates[2] ?? 0),
  city_amount: money(taxes[2] ?? 0),
  special_tax_rate: asRate(rates[3] ?? 0),
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

const asRate = (tenMillionths: number): Rate => rate(tenMillionths);
const sumOf = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const isSame = (left: readonly number[], right: readonly number[]): boolean =>
  left.every((each, index) => each === right[index]);
