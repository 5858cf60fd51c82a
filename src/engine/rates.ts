import { localRatesAt } from '../content/local-rates.ts';
import { findPlace, parseZip, statesOfZip } from '../content/place-lookup.ts';
import { countryName, isHarmonized, provinceOfPostalCode, regionName } from '../content/region-names.ts';
import {
  type CountryContent,
  inForce,
  nearest,
  type StateContent,
  type TaxContent,
} from '../content/tax-content.ts';
import type { LocationRate, RateQuery, SummaryRate } from '../contract/location-rate.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { roundQuotient } from '../kernel/decimal.ts';
import { RATE_ONE, type Rate, rate, ZERO_RATE } from '../kernel/money.ts';
import { countryRateAt, provinceRates } from './country-tax.ts';
import { type FullAddress, normaliseAddress } from './order.ts';
import { sumByLevel, taxTable } from './tax-table.ts';
import { isFreightTaxed } from './us-tax.ts';

const COUNTRY_DEFAULT = 'US';

/**
 * Return the full rates of a place on a day, in the form of its country.
 *
 * @throws {ServiceRefusal} 404 when the place is unknown, 400 when ZIP and state contradict each other, 406 when the
 * ZIP is malformed or a province is needed and missing
 */
export const locationRate = (
  content: TaxContent,
  zip: string,
  query: RateQuery,
  date: CalendarDate,
): LocationRate => {
  const address = normaliseAddress({ ...query, zip: zip.trim(), country: query.country ?? COUNTRY_DEFAULT });
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

/** Return the rates of a place in the United States, which a seller in the same place would collect on plain goods. */
const usLocationRate = (content: TaxContent, address: FullAddress, date: CalendarDate): LocationRate => {
  const state = stateOf(content, address);
  const { zip, city, street } = address;
  const table = taxTable(content, { state, zip, city, street, date, remote: false });
  if (table.place.precision === 'state' && state.localRates.length > 0) throw unknownZip(zip);
  const [stateRate, countyRate, cityRate, districtRate] = table.rates;
  return {
    zip,
    ...(isSstMember(state.code) && { country: 'US', country_rate: ZERO_RATE }),
    state: state.code,
    state_rate: rate(stateRate),
    county: table.place.countyName ?? null,
    county_rate: rate(countyRate),
    city: table.place.cityName ?? null,
    city_rate: rate(cityRate),
    combined_district_rate: rate(districtRate),
    combined_rate: rate(stateRate + countyRate + cityRate + districtRate),
    freight_taxable: isFreightTaxed(table),
  };
};

/**
 * Return the named state if the ZIP is used there; otherwise the only state of the ZIP, or the main one if it has an
 * area.
 */
const stateOf = (content: TaxContent, { zip, state: named }: FullAddress): StateContent => {
  const parsed = parseZip(zip);
  if (!parsed) throw new ServiceRefusal(406, `zip ${zip} isn't a valid postal code for US`);
  const used = statesOfZip(content, parsed.zip5);
  if (used.length === 0) throw unknownZip(zip);
  if (named !== '' && !used.includes(named)) {
    throw new ServiceRefusal(400, `zip ${zip} is not used within state ${named}`);
  }
  const isDecided = content.zips.get(parsed.zip5)?.hasArea === true || used.length === 1;
  if (named === '' && !isDecided) {
    throw new ServiceRefusal(404, `zip ${zip} may be of ${used.join(' or ')}: state is needed`);
  }
  const state = content.states.get(named || (used[0] ?? ''));
  if (state) return state;
  throw unknownZip(zip);
};

/** The rate of the state alone would look like the complete rate, so it is not returned for an unknown place. */
const unknownZip = (zip: string): ServiceRefusal =>
  new ServiceRefusal(404, `no rates are known for zip ${zip}: name its state and city`);

/**
 * Members of the Streamlined Sales and Use Tax Agreement, with Tennessee as an associate (streamlinedsalestax.org,
 * state membership; unchanged since Ohio became a full member in 2014). Look-ups name the country only for them.
 */
const MEMBERS: ReadonlySet<string> = new Set(
  'AR GA IA IN KS KY MI MN NC ND NE NJ NV OH OK RI SD TN UT VT WA WI WV WY'.split(' '),
);

const isSstMember = (state: string): boolean => MEMBERS.has(state);

type Rated = { readonly label: string; readonly rate: Rate };

/** List every region with its lowest and its average rate, computed once for each day. */
export const summaryRates = (content: TaxContent, date: CalendarDate): readonly SummaryRate[] => {
  const key = `summary rates ${date}`;
  const known = content.memory.get(key) as readonly SummaryRate[] | undefined;
  if (known) return known;
  const zips = Map.groupBy(content.zips, ([, { counties, hasArea }]) => (hasArea ? (counties[0] ?? '') : ''));
  const states = [...content.states.values()].toSorted((left, right) => (left.code < right.code ? -1 : 1));
  const list = [
    ...states.map((state) => {
      const own = [...zips].filter(([county]) => content.countyStates.get(county) === state.code);
      return stateSummary(
        content,
        state,
        own.map(([, rows]) => rows.map(([zip]) => zip)),
        date,
      );
    }),
    ...[...content.countries.values()].flatMap((country) => countrySummaries(country, date)),
  ];
  content.memory.set(key, list);
  return list;
};

/** Summarize a state. A postal code does not tell the city, so the average covers only the rates of whole counties. */
const stateSummary = (
  content: TaxContent,
  state: StateContent,
  zipsByCounty: readonly (readonly string[])[],
  date: CalendarDate,
): SummaryRate => {
  const minimum = (inForce(state.rates, date) ?? nearest(state.rates, date))?.rate ?? ZERO_RATE;
  let count = 0;
  let sum = 0;
  for (const zips of zipsByCounty) {
    const place = findPlace(content, { state, zip: zips[0] ?? '', city: '', street: '' }, date);
    const general = localRatesAt(place, date).filter(({ tax }) => tax === 'general');
    count += zips.length;
    sum += zips.length * sumByLevel(minimum, general).reduce((total, one) => total + one, 0);
  }
  const average = count === 0 ? minimum : toFourPlaces(sum, count);
  return {
    ...regionOf('US', state.code),
    minimum_rate: { label: 'State Tax', rate: minimum },
    average_rate: { label: 'Tax', rate: average },
  };
};

/** Round an average to four places, because it is a rate of a region and not of a place. */
const toFourPlaces = (sum: number, count: number): Rate => {
  const step = RATE_ONE / 10_000;
  return rate(roundQuotient(sum, count * step) * step);
};

const countrySummaries = (country: CountryContent, date: CalendarDate): SummaryRate[] => {
  switch (country.kind) {
    case 'us':
      return [];
    case 'provinces':
      return [...country.provinces.keys()]
        .toSorted()
        .map((province) => provinceSummary(country, province, date));
    case 'country': {
      const label = country.vatArea === '' ? 'GST' : 'VAT';
      const rated = { label, rate: countryRateAt(country, '', date).row?.rate ?? ZERO_RATE };
      return [{ ...wholeCountry(country.code), minimum_rate: rated, average_rate: rated }];
    }
  }
};

const provinceSummary = (country: CountryContent, province: string, date: CalendarDate): SummaryRate => {
  const rows = provinceRates(country.provinces.get(province) ?? [], date).filter((row) => row !== undefined);
  const all: Rated = {
    label: isHarmonized(province) ? 'HST' : rows.map(({ tax }) => tax.toUpperCase()).join('/'),
    rate: rate(rows.reduce((sum, row) => sum + row.rate, 0)),
  };
  const [first] = rows;
  const federal =
    first && !isHarmonized(province) ? { label: first.tax.toUpperCase(), rate: first.rate } : all;
  return { ...regionOf(country.code, province), minimum_rate: federal, average_rate: all };
};

const regionOf = (country: string, region: string) => ({
  country_code: country,
  country: countryName(country),
  region_code: region,
  region: regionName(country, region),
});

/** For two countries the summary uses the codes of the European Union. */
const SUMMARY_CODES: ReadonlyMap<string, string> = new Map([
  ['GB', 'UK'],
  ['GR', 'EL'],
]);

const wholeCountry = (code: string) => ({
  country_code: SUMMARY_CODES.get(code) ?? code,
  country: countryName(code),
  region_code: null,
  region: null,
});
