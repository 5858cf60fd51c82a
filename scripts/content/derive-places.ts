import { type Fact, field, readFacts } from './fact-file.ts';
import { type Cell, tableText } from './table-text.ts';

const FIRST_BY: Readonly<Record<string, string>> = { only: 'u', city: 'c', state: 's', none: 'n' };

/** One row per ZIP: its counties, best guess first, and why the first one comes first. */
const zipTable = (facts: readonly Fact[]): string => {
  const byZip = new Map<string, { counties: [number, string][]; first: string }>();
  for (const fact of facts) {
    const zip = field(fact, 'zip');
    const entry = byZip.get(zip) ?? { counties: [], first: '' };
    const order = Number(field(fact, 'n'));
    entry.counties.push([order, field(fact, 'county_fips')]);
    if (order === 1) entry.first = FIRST_BY[field(fact, 'first_by')] ?? 'n';
    byZip.set(zip, entry);
  }
  const rows = [...byZip].sort(byFirst).map(([zip, { counties, first }]): Cell[] => [
    zip,
    first,
    counties
      .sort(([left], [right]) => left - right)
      .map(([, fips]) => fips)
      .join(' '),
  ]);
  return tableText(['zip', 'first_by', 'counties'], rows);
};

const byFirst = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : left > right ? 1 : 0;

const countyTable = (facts: readonly Fact[]): string => {
  const counties = new Map<string, Cell[]>();
  for (const fact of facts) {
    const fips = field(fact, 'county_fips');
    counties.set(fips, [fips, field(fact, 'state'), field(fact, 'county_name')]);
  }
  return tableText(
    ['fips', 'state', 'name'],
    [...counties].sort(byFirst).map(([, row]) => row),
  );
};

const prefixTable = (facts: readonly Fact[]): string => {
  const states = new Map<string, [number, string][]>();
  for (const fact of facts) {
    const entry = states.get(field(fact, 'zip3')) ?? [];
    entry.push([Number(field(fact, 'n')), field(fact, 'state')]);
    states.set(field(fact, 'zip3'), entry);
  }
  const rows = [...states].sort(byFirst).map(([zip3, list]): Cell[] => [
    zip3,
    list
      .sort(([left], [right]) => left - right)
      .map(([, state]) => state)
      .join(' '),
  ]);
  return tableText(['zip3', 'states'], rows);
};

const KIND: Readonly<Record<string, string>> = { incorporated: 'i', 'census-designated': 'c', town: 't' };

/** One row per place: a place in several counties keeps them all. */
const placeTable = (facts: readonly Fact[]): string => {
  const places = new Map<string, { row: Cell[]; counties: string[] }>();
  for (const fact of facts) {
    const [state, fips] = [field(fact, 'state'), field(fact, 'place_fips')];
    const key = `${state} ${fips} ${field(fact, 'place')}`;
    const kind = KIND[field(fact, 'type')];
    if (kind === undefined) throw new Error(`unknown kind of place in ${key}`);
    const entry = places.get(key) ?? {
      row: [state, fips, field(fact, 'place'), kind, field(fact, 'aliases')],
      counties: [],
    };
    entry.counties.push(field(fact, 'county_fips').slice(2));
    places.set(key, entry);
  }
  const rows = [...places].sort(byFirst).map(([, { row, counties }]): Cell[] => [...row, counties.join(' ')]);
  return tableText(['state', 'fips', 'name', 'kind', 'aliases', 'counties'], rows);
};

/** The tables that find a county and a place from an address. */
export const derivePlaces = (folder: string): Record<string, string> => {
  const zipFacts = readFacts(folder, 'zip-county.csv');
  return {
    'zips.tsv': zipTable(zipFacts),
    'counties.tsv': countyTable(zipFacts),
    'zip-prefixes.tsv': prefixTable(readFacts(folder, 'zip3-state.csv')),
    'places.tsv': placeTable(readFacts(folder, 'place-county.csv')),
  };
};
