import type { TaxResult, UsBreakdown, UsLineBreakdown, UsShippingBreakdown } from '../contract/tax-result.ts';
import { isUsBreakdown, LEVELS, type Level, type LevelRow, levelRowsOf } from '../judge/tax-model.ts';
import { roundQuotient } from '../kernel/decimal.ts';
import { sameJson } from '../kernel/json.ts';
import { type Money, RATE_ONE, type Rate, ZERO, ZERO_RATE } from '../kernel/money.ts';
import type { Sale } from '../sales/sale.ts';
import { answerLineIds } from '../sales/service-records.ts';

/**
 * An answer of the tax service as stored in a log. It omits what the sale already contains, and figures of a line that
 * equal its taxable amount times a rate of the order. An answer that does not come back so is stored whole.
 */
export type PackedAnswer = { readonly whole: TaxResult } | PackedUsAnswer;

type PackedUsAnswer = Pick<
  TaxResult,
  'taxable_amount' | 'amount_to_collect' | 'rate' | 'tax_source' | 'exemption_type'
> & {
  readonly county?: string;
  readonly city?: string;
  /** Rate, taxable amount and tax of each level with a levy. */
  readonly levels: Readonly<Partial<Record<Level, LevelRow>>>;
  /** Of a line or the shipping only the taxable amount, where everything else follows from it. */
  readonly lines: readonly (Money | UsLineBreakdown)[];
  readonly shipping?: Money | UsShippingBreakdown;
};

export const packedAnswer = (result: TaxResult, sale: Sale): PackedAnswer => {
  const { breakdown } = result;
  if (!breakdown?.line_items || !isUsBreakdown(breakdown)) return { whole: result };
  const packed = packedUs(result, breakdown, sale);
  // Its lines and its shipping are compared where they are packed.
  const { shipping } = breakdown;
  const head = unpackedAnswer({ ...packed, lines: [], ...(shipping && { shipping }) }, sale);
  const isRestored = sameJson(head, { ...result, breakdown: { ...breakdown, line_items: [] } });
  return isRestored ? packed : { whole: result };
};

const packedUs = (result: TaxResult, breakdown: UsBreakdown, sale: Sale): PackedUsAnswer => {
  const { county, city } = result.jurisdictions ?? {};
  const { shipping, line_items: lines = [] } = breakdown;
  const rows = levelRowsOf(breakdown);
  const rates = rows.map(([rate]) => rate);
  const ids = answerLineIds(sale);
  return {
    ...(county !== undefined && { county }),
    ...(city !== undefined && { city }),
    taxable_amount: result.taxable_amount,
    amount_to_collect: result.amount_to_collect,
    rate: result.rate,
    tax_source: result.tax_source,
    ...(result.exemption_type !== undefined && { exemption_type: result.exemption_type }),
    levels: Object.fromEntries(
      LEVELS.flatMap((level, index) => {
        const row = rows[index];
        return row?.some((figure) => figure !== 0) ? [[level, row]] : [];
      }),
    ),
    lines: lines.map((line, index) =>
      sameJson(usualLine(line.taxable_amount, rates, ids[index]), line) ? line.taxable_amount : line,
    ),
    ...(shipping && {
      shipping: sameJson(usualShipping(shipping.taxable_amount, rates), shipping)
        ? shipping.taxable_amount
        : shipping,
    }),
  };
};

/** Restores the answer as the service gave it. */
export const unpackedAnswer = (packed: PackedAnswer, sale: Sale): TaxResult => {
  if ('whole' in packed) return packed.whole;
  const { levels, lines, shipping, county, city, ...figures } = packed;
  const rows = LEVELS.map((level): LevelRow => levels[level] ?? NO_LEVY);
  const [state, ofCounty, ofCity, special] = rows as [LevelRow, LevelRow, LevelRow, LevelRow];
  const rates = rows.map(([rate]) => rate);
  const ids = answerLineIds(sale);
  return {
    ...figures,
    order_total_amount: sale.amount,
    shipping: sale.shipping,
    has_nexus: true,
    freight_taxable: shipping !== undefined,
    jurisdictions: {
      country: sale.shipTo.country,
      state: sale.shipTo.state,
      ...(county !== undefined && { county }),
      ...(city !== undefined && { city }),
    },
    breakdown: {
      taxable_amount: figures.taxable_amount,
      tax_collectable: figures.amount_to_collect,
      combined_tax_rate: figures.rate,
      state_taxable_amount: state[1],
      state_tax_rate: state[0],
      state_tax_collectable: state[2],
      county_taxable_amount: ofCounty[1],
      county_tax_rate: ofCounty[0],
      county_tax_collectable: ofCounty[2],
      city_taxable_amount: ofCity[1],
      city_tax_rate: ofCity[0],
      city_tax_collectable: ofCity[2],
      special_district_taxable_amount: special[1],
      special_tax_rate: special[0],
      special_district_tax_collectable: special[2],
      ...(shipping !== undefined && {
        shipping: typeof shipping === 'number' ? usualShipping(shipping, rates) : shipping,
      }),
      line_items: lines.map((line, index) =>
        typeof line === 'number' ? usualLine(line, rates, ids[index]) : line,
      ),
    },
    calculation_date: sale.taxDate,
  };
};

const NO_LEVY = [0, 0, 0] as readonly number[] as LevelRow;

/** The figures of a unit that is taxable at every rate of the order, or at none. */
const usualUnit = (taxable: Money, rates: readonly Rate[]) => {
  const [state, county, city, special] = taxable === 0 ? NO_RATES : (rates as Levels);
  const combined = (state + county + city + special) as Rate;
  return {
    taxable_amount: taxable,
    tax_collectable: timesRate(taxable, combined),
    combined_tax_rate: combined,
    state_taxable_amount: taxedAt(taxable, state),
    state_sales_tax_rate: state,
    state_amount: timesRate(taxable, state),
    county_taxable_amount: taxedAt(taxable, county),
    county_tax_rate: county,
    county_amount: timesRate(taxable, county),
    city_taxable_amount: taxedAt(taxable, city),
    city_tax_rate: city,
    city_amount: timesRate(taxable, city),
    special_tax_rate: special,
    special_district_amount: timesRate(taxable, special),
  };
};

type Levels = readonly [state: Rate, county: Rate, city: Rate, special: Rate];

const NO_RATES: Levels = [ZERO_RATE, ZERO_RATE, ZERO_RATE, ZERO_RATE];

const taxedAt = (taxable: Money, rate: Rate): Money => (rate === 0 ? ZERO : taxable);

const usualLine = (taxable: Money, rates: readonly Rate[], id = ''): UsLineBreakdown => {
  const unit = usualUnit(taxable, rates);
  return { id, ...unit, special_district_taxable_amount: taxedAt(taxable, unit.special_tax_rate) };
};

const usualShipping = (taxable: Money, rates: readonly Rate[]): UsShippingBreakdown => {
  const unit = usualUnit(taxable, rates);
  return { ...unit, special_taxable_amount: taxedAt(taxable, unit.special_tax_rate) };
};

/** Multiplies an amount by a rate; what is too large to be exact equals no tax. */
const timesRate = (taxable: Money, rate: Rate): Money => {
  const product = taxable * rate;
  return (Number.isSafeInteger(product) ? roundQuotient(product, RATE_ONE) : Number.NaN) as Money;
};
