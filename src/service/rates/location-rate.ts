import type { LocationRate, RateQuery } from '../../contract/location-rate.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { type Rate, rate } from '../../kernel/rate.ts';
import { provinceOfPostalCode } from '../content/canadian-provinces.ts';
import { countryName } from '../content/region-names.ts';
import type { CountryContent, TaxContent } from '../content/tax-content.ts';
import { type FullAddress, settleAddress } from '../engine/address.ts';
import { provinceRates } from '../engine/canada-tax.ts';
import { countryRateAt } from '../engine/country-tax.ts';
import { usLocationRate } from './us-location-rate.ts';

const COUNTRY_DEFAULT = 'US';

/**
 * The full rates of a place on a day, in the form of its country.
 *
 * @throws {ServiceRefusal} 404 when nothing is known of the place, 400 when ZIP and state contradict each other, 406
 *   when the ZIP is malformed or a province is needed and missing
 */
export const locationRate = (
  content: TaxContent,
  zip: string,
  query: RateQuery,
  date: CalendarDate,
): LocationRate => {
  const address = settleAddress({ ...query, zip: zip.trim(), country: query.country ?? COUNTRY_DEFAULT });
  const country = content.countries.get(address.country);
  switch (country?.kind) {
    case 'us':
      return usLocationRate(content, address, date);
    case 'provinces':
      return provinceLocationRate(country, address, date);
    case 'country':
      return countryLocationRate(country, address, date);
    default:
      throw unknownPlace(address.country);
  }
};

const unknownPlace = (place: string): ServiceRefusal =>
  new ServiceRefusal(404, `no rates are known for ${place}`);

const provinceLocationRate = (
  country: CountryContent,
  { zip, state, city }: FullAddress,
  date: CalendarDate,
): LocationRate => {
  const province = state || provinceOfPostalCode(zip);
  if (province === undefined) throw new ServiceRefusal(406, 'state is missing');
  const rows = country.provinces.get(province);
  if (rows === undefined) throw unknownPlace(`${province} in ${country.code}`);
  return {
    zip,
    city: city || null,
    state: province,
    country: country.code,
    combined_rate: sumOf(provinceRates(rows, date).map((row) => row?.rate ?? 0)),
    freight_taxable: true,
  };
};

const countryLocationRate = (
  country: CountryContent,
  { zip }: FullAddress,
  date: CalendarDate,
): LocationRate => {
  const { row } = countryRateAt(country, zip, date);
  if (row === undefined) throw unknownPlace(country.code);
  if (country.vatArea === '') {
    const rates = { country_rate: row.rate, combined_rate: row.rate };
    return { zip, country: country.code, ...rates, freight_taxable: row.rate > 0 };
  }
  return {
    country: country.code,
    name: countryName(country.code),
    standard_rate: row.rate,
    reduced_rate: null,
    super_reduced_rate: null,
    parking_rate: null,
    distance_sale_threshold: null,
    freight_taxable: row.rate > 0,
  };
};

const sumOf = (rates: readonly number[]): Rate => rate(rates.reduce((sum, one) => sum + one, 0));
