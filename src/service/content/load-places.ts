import type { ContentFolder } from './content-folder.ts';
import { listOf, readTable } from './content-table.ts';
import { placeKey } from './place-name.ts';
import type { Place, TaxContent } from './tax-content.ts';

type PlaceTables = Pick<
  TaxContent,
  'zips' | 'zipPrefixes' | 'counties' | 'countyStates' | 'places' | 'placesByFips'
>;

const loadNamedPlaces = (folder: ContentFolder): Pick<PlaceTables, 'places' | 'placesByFips'> => {
  const places = new Map<string, Place[]>();
  const placesByFips = new Map<string, Place>();
  const enter = (key: string, place: Place): void => {
    const group = places.get(key);
    if (!group) places.set(key, [place]);
    else if (!group.includes(place)) group.push(place);
  };
  readTable(folder, 'places.tsv', (row) => {
    const state = row.cell('state');
    const name = row.cell('name');
    const place: Place = {
      fips: row.cell('fips'),
      name,
      key: placeKey(name),
      incorporated: row.cell('kind') === 'i',
      counties: row.cell('counties').split(' '),
    };
    enter(`${state} ${place.key}`, place);
    for (const alias of listOf(row, 'aliases', ';')) enter(`${state} ${placeKey(alias)}`, place);
    placesByFips.set(`${state} ${place.fips}`, place);
  });
  return { places, placesByFips };
};

/** The tables that find a county and a place from an address. */
export const loadPlaces = (folder: ContentFolder): PlaceTables => {
  const zips = readTable(folder, 'zips.tsv', (row) => {
    const counties = row.cell('counties').split(' ');
    return [row.cell('zip'), { firstBy: row.cell('first_by'), counties }] as const;
  });
  const prefixes = readTable(
    folder,
    'zip-prefixes.tsv',
    (row) => [row.cell('zip3'), row.cell('states').split(' ')] as const,
  );
  const counties = readTable(
    folder,
    'counties.tsv',
    (row) => [row.cell('fips'), row.cell('state'), row.cell('name')] as const,
  );
  return {
    zips: new Map(zips),
    zipPrefixes: new Map(prefixes),
    counties: new Map(counties.map(([fips, , name]) => [fips, name])),
    countyStates: new Map(counties.map(([fips, state]) => [fips, state])),
    ...loadNamedPlaces(folder),
  };
};
