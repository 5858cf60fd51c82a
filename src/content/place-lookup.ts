import type { CalendarDate } from '../kernel/calendar.ts';
import { textsIn } from '../kernel/text.ts';
import { usRegionsOfZip } from '../kernel/us-regions.ts';
import { dependsOnPlace, type RatedPlace } from './local-rates.ts';
import { cityLabel, countyLabel, placeKey } from './region-names.ts';
import type { BoundaryAnswer, BoundaryHit, Place, StateContent, TaxContent } from './tax-content.ts';

/** How exactly a place is known, most exact first: `shared` where its ZIP is, and the city does not decide. */
type Precision = 'place' | 'shared' | 'state';

/** An address within a state, as a caller wrote it. */
type PlaceQuery = {
  readonly state: StateContent;
  readonly zip: string;
  readonly city: string;
  readonly street: string;
};

/** The place of an address, as far as the content can tell. */
export type TaxPlace = RatedPlace & {
  readonly countyName: string | undefined;
  /** The city as results print it; `undefined` if none is known, or a boundary file has the address outside of cities. */
  readonly cityName: string | undefined;
  readonly precision: Precision;
  readonly flags: readonly string[];
};

/**
 * Find the county and the place of an address on a day. A boundary file of the state decides if it has the address;
 * otherwise a matching city name decides between the counties of a ZIP, and the ZIP if no city name matches.
 */
export const findPlace = (content: TaxContent, query: PlaceQuery, date: CalendarDate): TaxPlace => {
  const { zip5 = '', plus4 } = parseZip(query.zip) ?? {};
  const answer = content.boundaries.get(query.state.code)?.find(zip5, plus4, query.street, date);
  const counties = countiesOfZip(content, query.state.code, zip5);
  const found = withBoundary(content, query, answer?.hit, byZipAndCity(content, query, zip5, counties));
  const fips = found.county === '' ? '' : `${stateFips(content, query.state.code, zip5, found.county)}`;
  const name = content.counties.get(fips);
  // A boundary file knows the city, or that the address is outside of cities. The mailing address may name another.
  const city = answer?.hit ? found.place?.name : (found.guess?.place?.name ?? query.city);
  return {
    state: query.state,
    county: found.county,
    countyName: name === undefined ? undefined : countyLabel(name),
    cityName: city === undefined || city.trim() === '' ? undefined : cityLabel(city),
    place: found.place,
    boundary: answer?.hit,
    precision: found.precision,
    flags: [...boundaryFlags(query, zip5, answer), ...flagsOf(query, zip5, counties.length, found)],
  };
};

const byZipAndCity = (
  content: TaxContent,
  query: PlaceQuery,
  zip5: string,
  counties: readonly string[],
): Found => {
  const named = placesNamed(content, query.state.code, query.city);
  if (counties.length === 0) return byName(named);
  if (OUTSIDE_CITIES.test(query.city)) return byZip(counties, []);
  const zip = placesOfZip(content, query.state.code, zip5, counties);
  const fitting = named.filter(zip.has);
  if (fitting.length > 0) {
    const found = byZip(counties, fitting);
    return { ...found, isMinor: found.place !== undefined && zip.isMinor(found.place) };
  }
  const found = byZip(counties, zip.main ? [zip.main] : []);
  // The city that the caller wrote decides between counties; the main place of the ZIP does not.
  const isDecided = counties.length === 1;
  return { ...found, ...(!isDecided && { precision: 'shared' as const }), guess: { place: zip.main } };
};

/** A city name that means outside of any city. */
export const OUTSIDE_CITIES = /^\s*unincorporated\b/i;

const KIND_BEFORE_NAME = /^(?:city|town|township|village|borough) of /;

/** Find the places of a state that match a name, with or without `City of` before it or the state's code after it. */
export const placesNamed = (content: TaxContent, state: string, name: string): readonly Place[] => {
  const key = placeKey(name);
  const exact = content.places.get(`${state} ${key}`);
  if (exact) return exact;
  const suffix = ` ${state.toLowerCase()}`;
  const bare = (key.endsWith(suffix) ? key.slice(0, -suffix.length) : key).replace(KIND_BEFORE_NAME, '');
  return content.places.get(`${state} ${bare}`) ?? [];
};

type Found = {
  readonly county: string;
  readonly place: Place | undefined;
  readonly precision: Precision;
  /** The place that the ZIP suggests, when the city name did not decide. */
  readonly guess?: PlaceGuess;
  /** Whether most of the ZIP is outside the place. */
  readonly isMinor?: boolean;
};

/** Prefer the county and place of the boundary file to those of the ZIP and city name. */
const withBoundary = (
  content: TaxContent,
  query: PlaceQuery,
  boundary: BoundaryHit | undefined,
  found: Found,
): Found => {
  if (!boundary) return found;
  return {
    county: boundary.county === '' ? found.county : boundary.county,
    place: content.placesByFips.get(`${query.state.code} ${boundary.place}`),
    precision: 'place',
  };
};

const countiesOfZip = (content: TaxContent, state: string, zip5: string): string[] =>
  (content.zips.get(zip5)?.counties ?? [])
    .filter((fips) => content.countyStates.get(fips) === state)
    .map((fips) => fips.slice(2));

const byZip = (counties: readonly string[], named: readonly Place[]): Found => {
  const fitting = counties.filter((county) => named.some((place) => place.counties.includes(county)));
  const county = fitting[0] ?? counties[0] ?? '';
  const here = named.filter((place) => place.counties.includes(county));
  const isDecided = counties.length === 1 || fitting.length === 1;
  return {
    county,
    place: here.find(({ incorporated }) => incorporated) ?? here[0],
    precision: isDecided ? 'place' : 'shared',
  };
};

/** Find a place by the name of the city alone: a ZIP of post boxes or of one building is not in the tables of areas. */
const byName = (named: readonly Place[]): Found => {
  const place = named.find(({ incorporated }) => incorporated) ?? named[0];
  const county = place?.counties[0];
  if (place === undefined || county === undefined) {
    return { county: '', place: undefined, precision: 'state' };
  }
  return { county, place, precision: place.counties.length === 1 ? 'place' : 'shared' };
};

const stateFips = (content: TaxContent, state: string, zip5: string, county: string): string => {
  const ofZip = content.zips
    .get(zip5)
    ?.counties.find((fips) => fips.slice(2) === county && content.countyStates.get(fips) === state);
  return ofZip ?? `${content.stateFips.get(state) ?? ''}${county}`;
};

/** Return the flags for what a boundary file does not decide. */
const boundaryFlags = ({ state }: PlaceQuery, zip5: string, answer: BoundaryAnswer | undefined): string[] => {
  if (!answer?.isDivided) return [];
  const applied = answer.hit ? 'one of them was applied' : 'the city and the ZIP decided';
  return [`The boundary file of ${state.code} has several areas for ZIP ${zip5}: ${applied}.`];
};

const flagsOf = (
  query: PlaceQuery,
  zip5: string,
  counties: number,
  { county, precision, guess, isMinor }: Found,
): readonly string[] => {
  if (query.state.localRates.length === 0) return [];
  const isByPlace = hasPlaceRates(query.state, county);
  return textsIn([
    precision === 'state' &&
      `The county of ZIP ${zip5} is not known: only the tax that every place of the state has was applied.`,
    precision === 'shared' &&
      `ZIP ${zip5} is shared by ${counties} counties, and the city does not decide between them.`,
    isByPlace && guess && guessFlag(query, zip5, guess),
    isByPlace && isMinor && `Only a part of ZIP ${zip5} lies in ${query.city.trim()}.`,
  ]);
};

/** Whether the rates of a county depend on the place within it. */
const hasPlaceRates = (state: StateContent, county: string): boolean =>
  (state.localByCounty.get(county) ?? []).some(dependsOnPlace);

/** The place in which most people of a ZIP live, which counts where the city name does not decide; if it has one. */
type PlaceGuess = { readonly place: Place | undefined };

/** Return the places of a ZIP: from the table of ZIPs in its first state; in other states only by county. */
const placesOfZip = (content: TaxContent, state: string, zip5: string, counties: readonly string[]) => {
  const zip = content.zips.get(zip5);
  const isMain = content.countyStates.get(zip?.counties[0] ?? '') === state;
  const known = new Set(isMain ? zip?.places : []);
  const main = isMain && zip?.place ? zip.place : '';
  const isHere = (place: Place) => place.counties.some((county) => counties.includes(county));
  return {
    /** The place in which most of its people live. */
    main: main === '' ? undefined : content.placesByFips.get(`${state} ${main}`),
    /** Whether a place has a part of the ZIP. Mail to ZIPs outside of a city can have its name. */
    has: (place: Place) =>
      isHere(place) && (!place.incorporated || known.size === 0 || known.has(place.fips)),
    /** Whether a city is known to have only a smaller part of the ZIP. */
    isMinor: (place: Place) => place.incorporated && known.size > 0 && place.fips !== main,
  };
};

/** Return the flag about a guess. */
const guessFlag = ({ state, city }: PlaceQuery, zip5: string, { place }: PlaceGuess): string => {
  const given = city.trim();
  const why =
    given === '' ? 'No city was given' : `${given} is not known as a place of ZIP ${zip5} in ${state.code}`;
  const applied = place
    ? `${place.name}, the place of ZIP ${zip5}, was applied`
    : 'taxes of cities were not applied';
  return `${why}: ${applied}.`;
};

const FORM = /^(\d{5})[- ]?(\d{4})?$/;
const SHORT_FORM = /^\d{3,4}$/;

type ZipCode = { readonly zip5: string; readonly plus4: string | undefined };

/**
 * Read a ZIP or ZIP+4. Spreadsheets remove the leading zeros of numbers, so three and four digits are padded.
 * `undefined` when it is not a ZIP.
 */
export const parseZip = (text: string): ZipCode | undefined => {
  const trimmed = text.trim();
  const parts = FORM.exec(SHORT_FORM.test(trimmed) ? trimmed.padStart(5, '0') : trimmed);
  return parts ? { zip5: parts[1] ?? '', plus4: parts[2] } : undefined;
};

/** List the states in which a ZIP is used: by its counties if it has an area, otherwise by its first three digits. */
export const statesOfZip = (content: TaxContent, zip5: string): readonly string[] => {
  const zip = content.zips.get(zip5);
  if (!zip?.hasArea) return usRegionsOfZip(zip5);
  return zip.counties.map((fips) => content.countyStates.get(fips) ?? '');
};
