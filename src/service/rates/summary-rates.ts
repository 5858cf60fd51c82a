import type { SummaryRate } from '../../contract/location-rate.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { roundQuotient } from '../../kernel/decimal.ts';
import { RATE_ONE, type Rate, rate, ZERO_RATE } from '../../kernel/money.ts';
import { inForce, nearest } from '../content/dated.ts';
import { localRatesAt } from '../content/local-rates-at.ts';
import { findPlace } from '../content/place-lookup.ts';
import { countryName, isHarmonized, regionName } from '../content/region-names.ts';
import type { CountryContent, StateContent, TaxContent } from '../content/tax-content.ts';
import { provinceRates } from '../engine/canada-tax.ts';
import { countryRateAt } from '../engine/country-tax.ts';
import { sumByLevel } from '../engine/tax-table.ts';

type Rated = { readonly label: string; readonly rate: Rate };
type Summary = { readonly list: readonly SummaryRate[] };

/** List every region with its lowest and its average rate, computed once for each day. */
export const summaryRates = (content: TaxContent, date: CalendarDate): readonly SummaryRate[] => {
  const key = `summary rates ${date}`;
  const known = content.memory.get(key) as Summary | undefined;
  if (known) return known.list;
  const list = [
    ...statesWithZips(content).map(([state, zips]) => stateSummary(content, state, zips, date)),
    ...[...content.countries.values()].flatMap((country) => countrySummaries(country, date)),
  ];
  content.memory.set(key, { list } satisfies Summary);
  return list;
};

/** List the states by code, each with its ZIPs by county. */
const statesWithZips = (
  content: TaxContent,
): (readonly [StateContent, ReadonlyMap<string, readonly string[]>])[] => {
  const zips = new Map<string, Map<string, string[]>>();
  for (const [zip, { counties, hasArea }] of content.zips) {
    if (!hasArea) continue;
    const [county = ''] = counties;
    const state = content.countyStates.get(county) ?? '';
    const byCounty = zips.get(state) ?? new Map<string, string[]>();
    zips.set(state, byCounty);
    byCounty.set(county, [...(byCounty.get(county) ?? []), zip]);
  }
  return [...content.states.values()]
    .toSorted((left, right) => (left.code < right.code ? -1 : 1))
    .map((state) => [state, zips.get(state.code) ?? new Map()] as const);
};

/** Summarize a state. A postal code does not tell the city, so the average covers only the rates of whole counties. */
const stateSummary = (
  content: TaxContent,
  state: StateContent,
  zipsByCounty: ReadonlyMap<string, readonly string[]>,
  date: CalendarDate,
): SummaryRate => {
  const minimum = (inForce(state.rates, date) ?? nearest(state.rates, date))?.rate ?? ZERO_RATE;
  let count = 0;
  let sum = 0;
  for (const zips of zipsByCounty.values()) {
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
