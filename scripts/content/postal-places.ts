import { placeKey } from '../../src/content/region-names.ts';
import { type Fact, field, readFacts } from './fact-file.ts';

/** A row of the table of places; `counties` are three-digit codes. */
export type PlaceRow = {
  readonly state: string;
  readonly fips: string;
  readonly name: string;
  readonly kind: string;
  readonly aliases: string;
  readonly counties: readonly string[];
};

/** What the post office of a ZIP tells: the county it lies in, and the code of the place it is named after. */
export type PostalPlace = { readonly county: string; readonly place: string | undefined };

type Point = { readonly latitude: number; readonly longitude: number };
type Office = Point & { readonly zip: string; readonly state: string; readonly city: string };

/** Names of post offices are written with and without blanks: `Mc Lean`, `O Fallon`. */
const nameKey = (name: string): string => placeKey(name).replaceAll(' ', '');

const officeOf = (fact: Fact): Office => ({
  zip: field(fact, 'zip'),
  state: field(fact, 'state'),
  city: field(fact, 'city'),
  latitude: Number(field(fact, 'latitude')),
  longitude: Number(field(fact, 'longitude')),
});

/** Far enough for comparing distances within a state. */
const distanceBetween = (one: Point, other: Point): number => {
  const narrowing = Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(one.latitude - other.latitude, (one.longitude - other.longitude) * narrowing);
};

/**
 * The place of each ZIP by its post office (`zip-city.csv`). A ZIP with an area has the place only where that lies in
 * the county of most of its people. One without an area, of post boxes or one building, lies in the county of the
 * nearest ZIP that has one, of those of its place where that is known.
 */
export const postalPlaces = (
  folder: string,
  stateOfCounty: ReadonlyMap<string, string>,
  countyOfZip: ReadonlyMap<string, string>,
  places: readonly PlaceRow[],
): ReadonlyMap<string, PostalPlace> => {
  const offices = readFacts(folder, 'zip-city.csv').map(officeOf);
  const states = Map.groupBy(offices, ({ state }) => state);
  const named = new Map<string, PlaceRow[]>();
  for (const place of places) {
    for (const key of new Set([place.name, ...place.aliases.split(';')].map(nameKey))) {
      const name = `${place.state} ${key}`;
      named.set(name, [...(named.get(name) ?? []), place]);
    }
  }
  const nearestCounty = (office: Office, fitting: readonly PlaceRow[]): string | undefined => {
    const counties = new Set(fitting.flatMap((place) => place.counties));
    let best: { readonly county: string; readonly distance: number } | undefined;
    for (const other of states.get(office.state) ?? []) {
      const county = countyOfZip.get(other.zip);
      if (county === undefined || stateOfCounty.get(county) !== office.state) continue;
      if (counties.size > 0 && !counties.has(county.slice(2))) continue;
      const distance = distanceBetween(office, other);
      if (best === undefined || distance < best.distance) best = { county, distance };
    }
    return best?.county;
  };
  const found = new Map<string, PostalPlace>();
  for (const office of offices) {
    const fitting = named.get(`${office.state} ${nameKey(office.city)}`) ?? [];
    const county = countyOfZip.get(office.zip) ?? nearestCounty(office, fitting);
    if (county === undefined || stateOfCounty.get(county) !== office.state) continue;
    const here = fitting.filter(({ counties }) => counties.includes(county.slice(2)));
    const place = here.find(({ kind }) => kind === 'i') ?? here[0];
    found.set(office.zip, { county, place: place?.fips });
  }
  return found;
};
