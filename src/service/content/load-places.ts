import type { ContentFolder } from './content-folder.ts';
import { listOf, readTable, type TableRow } from './content-table.ts';
import { groupedRows, lookup } from './grouped-rows.ts';
import { placeKey } from './place-name.ts';
import type { Place, TaxContent, ZipCounties } from './tax-content.ts';

type PlaceTables = Pick<
  TaxContent,
  'zips' | 'zipPrefixes' | 'counties' | 'countyStates' | 'places' | 'placesByFips' | 'placesOf'
>;

const STATE_LENGTH = 2;
const ZIP_GROUP_LENGTH = 3;

const placeOf = (row: TableRow): Place => {
  const name = row.cell('name');
  return {
    fips: row.cell('fips'),
    name,
    key: placeKey(name),
    incorporated: row.cell('kind') === 'i',
    counties: row.cell('counties').split(' '),
  };
};

/** Places by state and place key; an alias leads to the same place. */
const placesByKey = (rows: readonly TableRow[]): ReadonlyMap<string, Place[]> => {
  const places = new Map<string, Place[]>();
  for (const row of rows) {
    const place = placeOf(row);
    const keys = new Set([place.key, ...listOf(row, 'aliases', ';').map(placeKey)]);
    for (const key of keys) {
      const group = places.get(`${row.cell('state')} ${key}`);
      if (group) group.push(place);
      else places.set(`${row.cell('state')} ${key}`, [place]);
    }
  }
  return places;
};

const placesByFips = (rows: readonly TableRow[]): ReadonlyMap<string, Place> =>
  new Map(rows.map((row) => [`${row.cell('state')} ${row.cell('fips')}`, placeOf(row)]));

const zipsOf = (rows: readonly TableRow[]): ReadonlyMap<string, ZipCounties> =>
  new Map(
    rows.map((row) => [
      row.cell('zip'),
      {
        hasArea: row.cell('first_by') !== 'o',
        counties: row.cell('counties').split(' '),
        place: row.cell('place'),
        places: listOf(row, 'places', ' '),
      },
    ]),
  );

/** The tables that find a county and a place from an address. */
export const loadPlaces = (folder: ContentFolder): PlaceTables => {
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
  const places = groupedRows(folder, 'places.tsv', STATE_LENGTH);
  return {
    zips: lookup(groupedRows(folder, 'zips.tsv', ZIP_GROUP_LENGTH), zipsOf),
    zipPrefixes: new Map(prefixes),
    counties: new Map(counties.map(([fips, , name]) => [fips, name])),
    countyStates: new Map(counties.map(([fips, state]) => [fips, state])),
    places: lookup(places, placesByKey),
    placesByFips: lookup(places, placesByFips),
    placesOf: (state) => places.rowsOf(state).map(placeOf),
  };
};
