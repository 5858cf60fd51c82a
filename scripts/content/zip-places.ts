import { field, readFacts } from './fact-file.ts';
import type { PlaceRow, PostalPlace } from './postal-places.ts';

/** The place in which most people of a ZIP live, and all places that have a part of it; codes of places. */
export type ZipPlaces = { readonly main: string | undefined; readonly all: readonly string[] };

/** Parts of a ZIP that are smaller than both of these are slivers along a border. */
const LEAST_SHARE = 0.01;
const LEAST_SQUARE_MILES = 0.05;

type Part = { readonly place: PlaceRow; readonly people: number };

/**
 * The places of each ZIP by where its people live (`zip-places.csv`: people of 2010, land of 2020). A ZIP of which
 * nothing is told, and one of a town, which these tables leave out, has the place of its post office.
 */
export const zipPlaces = (
  folder: string,
  zips: ReadonlyMap<string, { readonly county: string; readonly people: number }>,
  postal: ReadonlyMap<string, PostalPlace>,
  places: readonly PlaceRow[],
  stateOfFips: ReadonlyMap<string, string>,
): ReadonlyMap<string, ZipPlaces> => {
  const stateOf = (fips: string): string => stateOfFips.get(fips.slice(0, 2)) ?? '';
  const byFips = new Map(places.map((place) => [`${place.state} ${place.fips}`, place]));
  const parts = new Map<string, Part[]>();
  for (const fact of readFacts(folder, 'zip-places.csv')) {
    const zip = field(fact, 'zip');
    const fips = field(fact, 'place_fips');
    const home = zips.get(zip);
    const place = byFips.get(`${stateOf(fips)} ${fips.slice(2)}`);
    if (!home || !place || stateOf(home.county) !== place.state) continue;
    const people = Number(field(fact, 'population'));
    const squareMiles = Number(field(fact, 'square_miles'));
    if (people < home.people * LEAST_SHARE && squareMiles < LEAST_SQUARE_MILES) continue;
    const group = parts.get(zip);
    if (group) group.push({ place, people });
    else parts.set(zip, [{ place, people }]);
  }
  const codes = new Set([...zips.keys(), ...postal.keys()]);
  return new Map(
    [...codes].map((zip) => {
      const home = zips.get(zip);
      const office = postal.get(zip)?.place;
      const ofOffice = { main: office, all: office === undefined ? [] : [office] };
      if (!home || home.people === 0) return [zip, ofOffice];
      const town = byFips.get(`${stateOf(home.county)} ${office}`)?.kind === 't';
      return [zip, town ? ofOffice : byPeople(home, parts.get(zip) ?? [])];
    }),
  );
};

const byPeople = (
  home: { readonly county: string; readonly people: number },
  parts: readonly Part[],
): ZipPlaces => {
  const sorted = parts.toSorted((left, right) => right.people - left.people);
  const inside = sorted.filter(({ place }) => place.kind === 'i');
  const outside = home.people - inside.reduce((total, { people }) => total + people, 0);
  const here = sorted.filter(({ place }) => place.counties.includes(home.county.slice(2)));
  const city = here.find(({ place }) => place.kind === 'i');
  // Land outside cities can have a name of its own, which some local rates go by.
  const main = city && city.people >= outside ? city : here.find(({ place }) => place.kind === 'c');
  return { main: main?.place.fips, all: sorted.map(({ place }) => place.fips) };
};
