import * as z from 'zod';
import { formatRate, type Rate } from '../kernel/money.ts';
import { Fraction, OptionalCountry, optionalText, State } from './scalars.ts';

/** The place of a rate look-up, besides the postal code in the path. Without a country it is the United States. */
export const RateQuery = z
  .object({
    country: OptionalCountry,
    state: State,
    city: optionalText(255),
    street: optionalText(255),
  })
  .meta({ id: 'RateQuery' });
export type RateQueryInput = z.input<typeof RateQuery>;
export type RateQuery = z.output<typeof RateQuery>;

/** Format a rate as look-ups answer it: text with at least one decimal place, such as `0.0625` or `0.0`. */
export const formatRateText = (value: Rate): string => {
  const text = formatRate(value);
  return text.includes('.') ? text : `${text}.0`;
};

/** The rates of one place in the United States. `country` and `country_rate` are present only for members of the Streamlined Sales Tax agreement. */
const LocationRate = z
  .object({
    zip: z.string(),
    country: z.string().optional(),
    country_rate: Fraction.optional(),
    state: z.string(),
    state_rate: Fraction,
    county: z.string().nullable(),
    county_rate: Fraction,
    city: z.string().nullable(),
    city_rate: Fraction,
    combined_district_rate: Fraction,
    combined_rate: Fraction,
    freight_taxable: z.boolean(),
  })
  .meta({ id: 'LocationRate' });
export type LocationRate = z.output<typeof LocationRate>;

/** The body of `GET /rates/:zip`. */
export const LocationRateBody = z.object({ rate: LocationRate });

/**
 * Rates by place, for callers that calculate by themselves. They do not consider nexus, sourcing, category or
 * exemption, so the close requests calculations and never these.
 */
export interface RateLookups {
  /**
   * Return the full rates of a place today.
   *
   * @throws {ServiceRefusal} 404 when the place is unknown, 400 when ZIP and state contradict each other
   */
  showRates(zip: string, query?: RateQueryInput): Promise<LocationRate>;
}
