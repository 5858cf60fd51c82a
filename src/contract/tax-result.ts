import * as z from 'zod';
import { formatMoney, formatRate, type Money, moneyOfPrice, price, RATE_ONE, ZERO } from '../kernel/money.ts';
import { Amount, Cents, Day, ExemptionType, Fraction } from './scalars.ts';
import type { TaxRequestInput } from './tax-request.ts';

const TOTALS = { taxable_amount: Cents, tax_collectable: Cents, combined_tax_rate: Fraction };

/** The fields of one level: its taxable amount, its rate and its tax. */
const level = <Base extends string, RateName extends string, Tax extends string>(
  base: Base,
  rate: RateName,
  tax: Tax,
) =>
  ({ [base]: Cents, [rate]: Fraction, [tax]: Cents }) as Record<Base | Tax, typeof Cents> &
    Record<RateName, typeof Fraction>;

/** A breakdown in which the order, its shipping and its lines have the same fields. */
const breakdownOf = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({
    ...fields,
    shipping: z.object(fields).optional(),
    line_items: z.array(z.object({ id: z.string(), ...fields })).optional(),
  });

/** The interface names fields of the United States differently by level: `state_tax_rate` of an order is `state_sales_tax_rate` of a line. */
const UsUnit = {
  ...TOTALS,
  ...level('state_taxable_amount', 'state_sales_tax_rate', 'state_amount'),
  ...level('county_taxable_amount', 'county_tax_rate', 'county_amount'),
  ...level('city_taxable_amount', 'city_tax_rate', 'city_amount'),
  special_tax_rate: Fraction,
  special_district_amount: Cents,
};

export const UsShippingBreakdown = z.object({ ...UsUnit, special_taxable_amount: Cents });
export type UsShippingBreakdown = z.output<typeof UsShippingBreakdown>;

export const UsLineBreakdown = z.object({
  id: z.string(),
  ...UsUnit,
  special_district_taxable_amount: Cents,
});
export type UsLineBreakdown = z.output<typeof UsLineBreakdown>;

export const UsBreakdown = z.object({
  ...TOTALS,
  ...level('state_taxable_amount', 'state_tax_rate', 'state_tax_collectable'),
  ...level('county_taxable_amount', 'county_tax_rate', 'county_tax_collectable'),
  ...level('city_taxable_amount', 'city_tax_rate', 'city_tax_collectable'),
  ...level('special_district_taxable_amount', 'special_tax_rate', 'special_district_tax_collectable'),
  shipping: UsShippingBreakdown.optional(),
  line_items: z.array(UsLineBreakdown).optional(),
});
export type UsBreakdown = z.output<typeof UsBreakdown>;

const CaBreakdown = breakdownOf({
  ...TOTALS,
  ...level('gst_taxable_amount', 'gst_tax_rate', 'gst'),
  ...level('pst_taxable_amount', 'pst_tax_rate', 'pst'),
  ...level('qst_taxable_amount', 'qst_tax_rate', 'qst'),
});
export type CaBreakdown = z.output<typeof CaBreakdown>;

const CountryBreakdown = breakdownOf({
  ...TOTALS,
  ...level('country_taxable_amount', 'country_tax_rate', 'country_tax_collectable'),
});
export type CountryBreakdown = z.output<typeof CountryBreakdown>;

const Jurisdictions = z.object({
  country: z.string(),
  state: z.string().optional(),
  county: z.string().optional(),
  city: z.string().optional(),
});
export type Jurisdictions = z.output<typeof Jurisdictions>;

const TaxSource = z.enum(['origin', 'destination']);
export type TaxSource = z.output<typeof TaxSource>;

/**
 * What the result of a calculation rests on: Tieout's own extension of the interface, included only when a request has
 * `explain: true`.
 */
const Explanation = z.object({
  /** The day whose law and rates were applied. */
  as_of: z.string(),
  /** Name and version of the tax content. */
  content: z.string(),
  /** Points to check: law that is doubtful or unknown, a place shared by counties, and so on. */
  flags: z.array(z.string()),
});

/** Without nexus only the six required fields are present, and their amounts are zero. */
export const TaxResult = z.object({
  order_total_amount: Cents.optional(),
  shipping: Cents.optional(),
  taxable_amount: Cents,
  amount_to_collect: Cents,
  rate: Fraction,
  has_nexus: z.boolean(),
  freight_taxable: z.boolean(),
  tax_source: TaxSource.nullable(),
  exemption_type: ExemptionType.optional(),
  jurisdictions: Jurisdictions.optional(),
  breakdown: z.union([UsBreakdown, CaBreakdown, CountryBreakdown]).optional(),
  /** The day whose law and rates were applied: present when the request named a day; Tieout's own extension. */
  calculation_date: Day.optional(),
  explanation: Explanation.optional(),
});
export type TaxResult = z.output<typeof TaxResult>;

/** Services print rates with five places or more. */
const RATE_STEP = RATE_ONE / 100_000;
/** State, county, city, district: a service may round each of them separately. */
const LEVELS = 4;

/**
 * Explain why an answer cannot be right under any law: its parts contradict each other, or it is about a different
 * place than requested. `undefined` for a consistent answer. Differences of cents from rounding lines or levels
 * separately are allowed. The interface states no currency, so the currency is not checked.
 */
export const contradictionOf = (result: TaxResult, request?: TaxRequestInput): string | undefined =>
  (request && ofSale(result, request)) ??
  (hasNegativeLine(result) ? undefined : (ofSigns(result) ?? ofRate(result) ?? ofBreakdown(result))) ??
  (request && ofPlace(result, request));

/** Find amounts with another sign than the sale, or more taxable than was sold. */
const ofSale = (result: TaxResult, request: TaxRequestInput): string | undefined => {
  const { amount, shipping, line_items: lines } = request;
  // In ten-thousandths of a dollar.
  const parts = lines?.length
    ? lines.map(
        ({ unit_price: each, quantity, discount }) =>
          exactPrice(each) * Number(quantity ?? 1) - exactPrice(discount),
      )
    : [exactPrice(amount)];
  parts.push(exactPrice(shipping));
  if (!parts.every((part) => part >= 0)) return undefined;
  const { amount_to_collect: tax, taxable_amount: taxable } = result;
  const negative = [tax, taxable, ...levelsOf(result)].find((each) => each < 0);
  if (negative !== undefined)
    return `it has an amount of ${formatMoney(negative)}, and nothing of the sale is negative`;
  const sold = moneyOfPrice(price(parts.reduce((total, part) => total + part, 0)));
  return taxable > sold + centsOfRounding(result)
    ? `its taxable amount is ${formatMoney(taxable)}, and the sale comes to ${formatMoney(sold)}`
    : undefined;
};

const exactPrice = (amount: TaxRequestInput['amount']): number =>
  amount === null || amount === undefined ? 0 : Amount.parse(amount);

/**
 * Whether a line is negative: lines of both signs, at several rates, can add up to a tax that is not the rate times the
 * taxable amount.
 */
const hasNegativeLine = ({ breakdown }: TaxResult): boolean =>
  breakdown?.line_items?.some(({ taxable_amount }) => taxable_amount < 0) === true;

const ofSigns = ({ amount_to_collect: tax, taxable_amount: taxable, has_nexus }: TaxResult) => {
  if (!has_nexus && tax !== ZERO) return `it has tax of ${formatMoney(tax)} and no nexus`;
  if (tax !== ZERO && Math.sign(tax) !== Math.sign(taxable))
    return `it has tax of ${formatMoney(tax)} on a taxable amount of ${formatMoney(taxable)}`;
  return undefined;
};

/** Return by how many cents rounding can change an answer. */
const centsOfRounding = ({ breakdown }: TaxResult): number =>
  LEVELS * (2 + (breakdown?.line_items?.length ?? 0));

const ofRate = (result: TaxResult): string | undefined => {
  const { amount_to_collect: tax, taxable_amount: taxable, rate } = result;
  const exactTax = (taxable * rate) / RATE_ONE;
  const ofStep = (Math.abs(taxable) * RATE_STEP) / RATE_ONE;
  if (Math.abs(tax - exactTax) <= centsOfRounding(result) + ofStep) return undefined;
  return `its tax of ${formatMoney(tax)} is not its rate of ${formatRate(rate)} of its taxable amount of ${formatMoney(taxable)}`;
};

const ofBreakdown = (result: TaxResult): string | undefined => {
  const { breakdown, amount_to_collect: tax } = result;
  if (!breakdown) return undefined;
  const { line_items: lines, shipping } = breakdown;
  const levels = levelsOf(result);
  const sums = [
    breakdown.tax_collectable,
    ...(lines ? [sumOf([...lines, shipping].map((unit) => unit?.tax_collectable ?? ZERO))] : []),
    ...(levels.length > 0 ? [sumOf(levels)] : []),
  ];
  const other = sums.find((sum) => Math.abs(sum - tax) > centsOfRounding(result));
  return other === undefined
    ? undefined
    : `its tax is ${formatMoney(tax)}, and a breakdown of it comes to ${formatMoney(other as Money)}`;
};

/** The tax of each level of a place in the United States. */
const levelsOf = ({ breakdown: of }: TaxResult): readonly Money[] =>
  of && 'state_tax_collectable' in of
    ? [
        of.state_tax_collectable,
        of.county_tax_collectable,
        of.city_tax_collectable,
        of.special_district_tax_collectable,
      ]
    : [];

const sumOf = (amounts: readonly Money[]): number => amounts.reduce((total, each) => total + each, 0);

const ofPlace = (
  { jurisdictions, tax_source }: TaxResult,
  { to_country, to_state, from_state }: TaxRequestInput,
): string | undefined => {
  const asked = tax_source === 'origin' ? from_state : to_state;
  const { state } = jurisdictions ?? {};
  if (String(to_country).toUpperCase() !== 'US' || !isCode(asked) || !isCode(state)) return undefined;
  if (asked.toUpperCase() === state.toUpperCase()) return undefined;
  return `it is about ${state}, and ${asked} was asked about`;
};

const isCode = (state: unknown): state is string => typeof state === 'string' && /^[a-z]{2}$/i.test(state);
