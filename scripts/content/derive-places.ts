import { compareText } from '../../src/kernel/text.ts';
import { type Fact, field, readFacts } from './fact-file.ts';
import { type PlaceRow, postalPlaces } from './postal-places.ts';
import { type Cell, tableText } from './table-text.ts';
import { zipPlaces } from './zip-places.ts';

const FIRST_BY: Readonly<Record<string, string>> = { only: 'u', city: 'c', state: 's', none: 'n' };

type ZipRow = { readonly first: string; readonly counties: readonly string[] };

/** The people of a ZIP by county, of those ZIPs that have any. */
const peopleOf = (folder: string): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const people = new Map<string, Map<string, number>>();
  for (const fact of readFacts(folder, 'zip-population.csv')) {
    const count = Number(field(fact, 'population'));
    if (count === 0) continue;
    const zip = field(fact, 'zip');
    const counties = people.get(zip) ?? new Map<string, number>();
    counties.set(field(fact, 'county_fips'), count);
    people.set(zip, counties);
  }
  return people;
};

/** The counties of each ZIP, that in which most of its people live first, and why the first one comes first. */
const zipRows = (
  facts: readonly Fact[],
  people: ReadonlyMap<string, ReadonlyMap<string, number>>,
): Map<string, ZipRow> => {
  const groups = Map.groupBy(facts, (fact) => field(fact, 'zip'));
  return new Map(
    [...groups].map(([zip, group]) => {
      const listed = group.toSorted(byNumber);
      const counties = listed.map((fact) => field(fact, 'county_fips'));
      const count = people.get(zip);
      const [first] = listed;
      const reason = FIRST_BY[first === undefined ? '' : field(first, 'first_by')] ?? 'n';
      if (counties.length === 1 || count === undefined) return [zip, { first: reason, counties }];
      const byPeople = counties.toSorted((left, right) => (count.get(right) ?? 0) - (count.get(left) ?? 0));
      return [zip, { first: 'p', counties: byPeople }];
    }),
  );
};

/** One row per ZIP: its counties, best guess first, the place in which most of its people live, and all its places. */
const zipTable = (folder: string, facts: readonly Fact[], places: readonly PlaceRow[]): string => {
  const people = peopleOf(folder);
  const areas = zipRows(facts, people);
  const stateOfCounty = new Map(facts.map((fact) => [field(fact, 'county_fips'), field(fact, 'state')]));
  const countyOfZip = new Map([...areas].map(([zip, { counties }]) => [zip, counties[0] ?? '']));
  const postal = postalPlaces(folder, stateOfCounty, countyOfZip, places);
  const homes = new Map(
    [...countyOfZip].map(([zip, county]) => [zip, { county, people: sumOf(people.get(zip)) }]),
  );
  const stateOfFips = new Map([...stateOfCounty].map(([county, state]) => [county.slice(0, 2), state]));
  const placed = zipPlaces(folder, homes, postal, places, stateOfFips);
  const rows = [...placed].sort(byFirst).map(([zip, { main, all }]): Cell[] => {
    const { first, counties } = areas.get(zip) ?? { first: 'o', counties: [postal.get(zip)?.county ?? ''] };
    return [zip, first, counties.join(' '), main ?? '', all.join(' ')];
  });
  return tableText(['zip', 'first_by', 'counties', 'place', 'places'], rows);
};

const sumOf = (counts: ReadonlyMap<string, number> | undefined): number =>
  [...(counts?.values() ?? [])].reduce((total, count) => total + count, 0);

const byFirst = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  compareText(left, right);

const byNumber = (left: Fact, right: Fact): number => Number(field(left, 'n')) - Number(field(right, 'n'));

const countyTable = (facts: readonly Fact[]): string => {
  const counties = new Map<string, Cell[]>();
  for (const fact of facts) {
    const fips = field(fact, 'county_fips');
    counties.set(fips, [fips, field(fact, 'state'), field(fact, 'county_name')]);
  }
  const rows = [...counties].sort(byFirst).map(([, row]) => row);
  return tableText(['fips', 'state', 'name'], rows);
};

const KIND: Readonly<Record<string, string>> = { incorporated: 'i', 'census-designated': 'c', town: 't' };

/** One row per place: a place in several counties keeps them all. */
const placeRows = (facts: readonly Fact[]): readonly PlaceRow[] => {
  const places = new Map<string, { row: Omit<PlaceRow, 'counties'>; counties: string[] }>();
  for (const fact of facts) {
    const state = field(fact, 'state');
    const fips = field(fact, 'place_fips');
    const name = field(fact, 'place');
    const key = `${state} ${fips} ${name}`;
    const kind = KIND[field(fact, 'type')];
    if (kind === undefined) throw new Error(`unknown kind of place in ${key}`);
    const row = { state, fips, name, kind, aliases: field(fact, 'aliases') };
    const entry = places.get(key) ?? { row, counties: [] };
    entry.counties.push(field(fact, 'county_fips').slice(2));
    places.set(key, entry);
  }
  return [...places].sort(byFirst).map(([, { row, counties }]) => ({ ...row, counties }));
};

const placeTable = (places: readonly PlaceRow[]): string => {
  const columns = ['state', 'fips', 'name', 'kind', 'aliases'] as const;
  const rows = places.map((place) => [...columns.map((column) => place[column]), place.counties.join(' ')]);
  return tableText([...columns, 'counties'], rows);
};

/** The tables that find a county and a place from an address. */
export const derivePlaces = (folder: string): Record<string, string> => {
  const zipFacts = readFacts(folder, 'zip-county.csv');
  const places = placeRows(readFacts(folder, 'place-county.csv'));
  return {
    'zips.tsv': zipTable(folder, zipFacts, places),
    'counties.tsv': countyTable(zipFacts),
    'places.tsv': placeTable(places),
  };
};
