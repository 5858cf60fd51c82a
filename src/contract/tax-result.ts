import * as z from 'zod';
import { Explanation } from './explanation.ts';
import { Cents, Day, ExemptionType, Fraction } from './scalars.ts';

/**
 * Fields of a line or of shipping in the `tax` object of `POST /taxes`. The interface names fields differently by level
 * (order, shipping, line): `state_tax_rate` of an order is `state_sales_tax_rate` of a line.
 */

const UsUnit = {
  taxable_amount: Cents,
  tax_collectable: Cents,
  combined_tax_rate: Fraction,
  state_taxable_amount: Cents,
  state_sales_tax_rate: Fraction,
  state_amount: Cents,
  county_taxable_amount: Cents,
  county_tax_rate: Fraction,
  county_amount: Cents,
  city_taxable_amount: Cents,
  city_tax_rate: Fraction,
  city_amount: Cents,
  special_tax_rate: Fraction,
  special_district_amount: Cents,
};

export const UsShippingBreakdown = z
  .object({ ...UsUnit, special_taxable_amount: Cents })
  .meta({ id: 'UsShippingBreakdown' });
export type UsShippingBreakdown = z.output<typeof UsShippingBreakdown>;

export const UsLineBreakdown = z
  .object({ id: z.string(), ...UsUnit, special_district_taxable_amount: Cents })
  .meta({ id: 'UsLineBreakdown' });
export type UsLineBreakdown = z.output<typeof UsLineBreakdown>;

export const UsBreakdown = z
  .object({
    taxable_amount: Cents,
    tax_collectable: Cents,
    combined_tax_rate: Fraction,
    state_taxable_amount: Cents,
    state_tax_rate: Fraction,
    state_tax_collectable: Cents,
    county_taxable_amount: Cents,
    county_tax_rate: Fraction,
    county_tax_collectable: Cents,
    city_taxable_amount: Cents,
    city_tax_rate: Fraction,
    city_tax_collectable: Cents,
    special_district_taxable_amount: Cents,
    special_tax_rate: Fraction,
    special_district_tax_collectable: Cents,
    shipping: UsShippingBreakdown.optional(),
    line_items: z.array(UsLineBreakdown).optional(),
  })
  .meta({ id: 'UsBreakdown' });
export type UsBreakdown = z.output<typeof UsBreakdown>;

const CaUnit = {
  taxable_amount: Cents,
  tax_collectable: Cents,
  combined_tax_rate: Fraction,
  gst_taxable_amount: Cents,
  gst_tax_rate: Fraction,
  gst: Cents,
  pst_taxable_amount: Cents,
  pst_tax_rate: Fraction,
  pst: Cents,
  qst_taxable_amount: Cents,
  qst_tax_rate: Fraction,
  qst: Cents,
};

export const CaUnitBreakdown = z.object(CaUnit).meta({ id: 'CaShippingBreakdown' });
export const CaLineBreakdown = z.object({ id: z.string(), ...CaUnit }).meta({ id: 'CaLineBreakdown' });
export const CaBreakdown = z
  .object({
    ...CaUnit,
    shipping: CaUnitBreakdown.optional(),
    line_items: z.array(CaLineBreakdown).optional(),
  })
  .meta({ id: 'CaBreakdown' });
export type CaBreakdown = z.output<typeof CaBreakdown>;

const CountryUnit = {
  taxable_amount: Cents,
  tax_collectable: Cents,
  combined_tax_rate: Fraction,
  country_taxable_amount: Cents,
  country_tax_rate: Fraction,
  country_tax_collectable: Cents,
};

export const CountryUnitBreakdown = z.object(CountryUnit).meta({ id: 'CountryShippingBreakdown' });
export const CountryLineBreakdown = z
  .object({ id: z.string(), ...CountryUnit })
  .meta({ id: 'CountryLineBreakdown' });
export const CountryBreakdown = z
  .object({
    ...CountryUnit,
    shipping: CountryUnitBreakdown.optional(),
    line_items: z.array(CountryLineBreakdown).optional(),
  })
  .meta({ id: 'CountryBreakdown' });
export type CountryBreakdown = z.output<typeof CountryBreakdown>;

export const Jurisdictions = z
  .object({
    country: z.string(),
    state: z.string().optional(),
    county: z.string().optional(),
    city: z.string().optional(),
  })
  .meta({ id: 'Jurisdictions' });
export type Jurisdictions = z.output<typeof Jurisdictions>;

export const TaxSource = z.enum(['origin', 'destination']);
export type TaxSource = z.output<typeof TaxSource>;

/** Without nexus only the six required fields are present, and their amounts are zero. */
export const TaxResult = z
  .object({
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
  })
  .meta({ id: 'TaxResult' });
export type TaxResult = z.output<typeof TaxResult>;

/** The body of `POST /taxes`. */
export const TaxBody = z.object({ tax: TaxResult });
