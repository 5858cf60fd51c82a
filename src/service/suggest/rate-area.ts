import type { LocalLevel } from '../../contract/content-coverage.ts';
import type { ChargedTax } from '../../contract/rate-evidence.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { isInForce } from '../content/dated.ts';
import { placesNamed, type TaxPlace } from '../content/place-lookup.ts';
import { countyLabel, placeKey } from '../content/place-name.ts';
import type { Place, TaxContent } from '../content/tax-content.ts';
import type { SuggestedRate } from './suggested-rate.ts';

/** The jurisdiction of a tax and where it applies, with the codes of the content. */
export type RateArea = Pick<
  SuggestedRate,
  'state' | 'level' | 'code' | 'name' | 'scope' | 'counties' | 'places'
>;

/** The reason why no jurisdiction was found. */
export type NoArea = { readonly why: string };

type At = { readonly content: TaxContent; readonly place: TaxPlace; readonly day: CalendarDate };

/**
 * Find the jurisdiction of a tax of a sale. A county's tax applies in the whole county, a city's in the city. The
 * borders of a district are unknown, so its tax applies in the places where it was charged. One rate for all missing
 * taxes is a rate of the city or, if the place is not a city, of a district of the place. A tax named after a county or
 * city other than that of the sale does not match.
 */
export const areaOf = (at: At, tax: ChargedTax, isCombined: boolean): RateArea | NoArea => {
  if (at.place.county === '') return { why: 'the county of the address is not known' };
  if (isCombined) return combinedArea(at);
  switch (levelOf(at, tax)) {
    case 'county':
      return countyArea(at, tax);
    case 'city':
      return cityArea(at, tax);
    case 'special':
      return districtArea(at, tax);
  }
};

/**
 * Return the level of a tax. If its name does not tell, it is the city's or the county's when it has their name,
 * otherwise a district's.
 */
const levelOf = ({ content, place }: At, { level, place: name }: ChargedTax): LocalLevel => {
  if (level !== null) return level;
  if (isCity(content, place, name)) return 'city';
  return isCounty(place, name) ? 'county' : 'special';
};

const isCounty = ({ countyName }: TaxPlace, name: string): boolean =>
  countyName !== undefined && placeKey(countyLabel(name)) === placeKey(countyName);

const isCity = (content: TaxContent, { state, place }: TaxPlace, name: string): boolean =>
  place !== undefined && placesNamed(content, state.code, name).some(({ fips }) => fips === place.fips);

const countyArea = ({ content, place, day }: At, tax: ChargedTax): RateArea | NoArea => {
  const { state, county } = place;
  const name = content.counties.get(`${content.stateFips.get(state.code) ?? ''}${county}`);
  if (name === undefined) return { why: 'the county of the address is not known' };
  if (tax.place !== '' && !isCounty(place, tax.place))
    return { why: `it is named after ${tax.place}, and the address is in ${name}` };
  const area = { state: state.code, level: 'county', counties: [county] } as const;
  const hasParts = state.localRates.some(
    (row) => row.level === 'county' && row.code === county && row.tax === 'general' && isInForce(row, day),
  );
  if (!hasParts) return { ...area, code: county, name, scope: 'county', places: [] };
  // The content has a rate for another part of the county, which must stay.
  if (!place.place) return { why: `the content has a rate for a part of ${name} only` };
  const inPart = `${name} in ${place.place.name}`;
  return { ...area, code: shopCode(inPart), name: inPart, scope: 'place', places: [place.place.name] };
};

const cityArea = ({ content, place }: At, tax: ChargedTax): RateArea | NoArea => {
  const { state, place: city, cityName } = place;
  if (!city) return { why: `the content has no place called ${tax.place || cityName || 'like that'} there` };
  if (tax.place !== '' && !isCity(content, place, tax.place))
    return { why: `it is named after ${tax.place}, and the address is in ${city.name}` };
  return inPlace(state.code, city, { level: 'city', code: city.fips, name: city.name });
};

const districtArea = ({ place: { state, place, cityName } }: At, tax: ChargedTax): RateArea | NoArea => {
  if (!place) return { why: `the content has no place called ${cityName ?? 'like that'} there` };
  const name = plainName(tax.place || tax.name) || `District of ${place.name}`;
  return inPlace(state.code, place, { level: 'special', code: shopCode(name), name });
};

const combinedArea = ({ place: { state, place, cityName } }: At): RateArea | NoArea => {
  if (!place) return { why: `the content has no place called ${cityName ?? 'like that'} there` };
  const name = `${place.name}, local taxes together`;
  const level = place.incorporated ? 'city' : 'special';
  return inPlace(state.code, place, { level, code: shopCode(name), name });
};

const inPlace = (
  state: string,
  { name, counties }: Place,
  jurisdiction: Pick<RateArea, 'level' | 'code' | 'name'>,
): RateArea => ({ ...jurisdiction, state, scope: 'place', counties, places: [name] });

/** Clean a name for use in a table. */
const plainName = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Build a code that does not occur in official files. */
const shopCode = (name: string): string =>
  `shop-${placeKey(name)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')}`;
