import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calendarDate } from '../kernel/calendar.ts';
import { once } from '../kernel/once.ts';
import { filePathsBelow, filesDigest } from '../runtime/publish-folder.ts';
import { boundaryIndex } from './boundaries.ts';
import {
  addTo,
  type ContentFolder,
  groupedRows,
  listOf,
  lookup,
  openContentFolder,
  readTable,
  stateOfBoundaries,
  type TableRow,
  tablePath,
  tablesBy,
  wordOf,
} from './content-folder.ts';
import { loadStates, loadTaxability } from './load-states.ts';
import { placeKey } from './region-names.ts';
import {
  type Certain,
  type CountryContent,
  codeRate,
  countryRate,
  type Place,
  placeRow,
  type TaxContent,
  territory,
  type ZipCounties,
  zipRow,
} from './tax-content.ts';

/** The folder of the default content. */
export const DEFAULT_CONTENT_FOLDER = fileURLToPath(new URL('./data', import.meta.url));

/**
 * Read a content folder, by default the content that comes with Tieout. The rows of large tables are parsed on demand,
 * and boundary files are read row by row; nothing else is read after this.
 *
 * @throws {ContentDamagedError} when a table is missing or cut off; later, when a row that is needed contradicts itself
 */
export const loadContent = (path?: string): TaxContent => (path === undefined ? shipped() : contentIn(path));

/** Read a content folder and, unless it is the default one, parse every row, so that damage is found at once. */
export const loadWholeContent = (path?: string): TaxContent =>
  path === undefined ? loadContent() : readInFull(contentIn(path));

/** The default content does not change while the program runs, so it is read once. */
const shipped = once(() => contentIn(DEFAULT_CONTENT_FOLDER));

const readInFull = (content: TaxContent): TaxContent => {
  for (const table of [content.zips, content.places, content.placesByFips, content.taxability])
    for (const _ of table);
  for (const state of content.states.values()) void state.localRates;
  return content;
};

const contentIn = (path: string): TaxContent => {
  const folder = openContentFolder(path);
  const { manifest } = folder;
  const confidence = new Set(manifest.confidence);
  const states = loadStates(folder);
  return {
    name: manifest.name,
    version: manifest.version,
    date: calendarDate(manifest.date),
    imports: manifest.imports ?? [],
    states,
    stateFips: new Map(
      readTable(folder, 'states.tsv', (row) => [row.cell('state'), row.cell('fips')] as const),
    ),
    ...loadPlaces(folder),
    ...loadTaxability(folder, confidence),
    countries: loadCountries(folder, confidence),
    categories: readTable(folder, 'categories.tsv', (row) => ({
      product_tax_code: row.cell('product_tax_code'),
      name: row.cell('name'),
      description: row.cell('description'),
    })),
    sources: new Map(
      readTable(folder, 'sources.tsv', (row) => [row.cell('source'), row.cell('title')] as const),
    ),
    boundaries: boundariesOf(folder),
    memory: new Map(),
  };
};

/** Open the imported boundary files, by state. */
const boundariesOf = (folder: ContentFolder): TaxContent['boundaries'] =>
  new Map(
    Object.keys(folder.manifest.tables ?? {}).flatMap((table) => {
      const state = stateOfBoundaries(table);
      return state === undefined ? [] : [[state, boundaryIndex(tablePath(folder, table), table)] as const];
    }),
  );

const grouped = <Value>(rows: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value[]> => {
  const groups = new Map<string, Value[]>();
  for (const [key, value] of rows) addTo(groups, key, value);
  return groups;
};

/** Load countries with their rates, provinces and territories. */
export const loadCountries = (
  folder: ContentFolder,
  certain: Certain,
): ReadonlyMap<string, CountryContent> => {
  const table = tablesBy(folder, 'country');
  const rates = table('country-rates.tsv', (row) => [row.cell('region'), countryRate(row)] as const);
  const territories = table('country-territories.tsv', territory);
  const codeRates = table(
    'country-code-rates.tsv',
    (row) => [row.cell('code'), codeRate(row, certain)] as const,
  );
  const countries = readTable(folder, 'countries.tsv', (row): CountryContent => {
    const code = row.cell('country');
    const own = rates(code);
    return {
      code,
      kind: wordOf(row, 'kind', ['us', 'provinces', 'country']),
      vatArea: row.cell('vat_area'),
      rates: own.flatMap(([region, rate]) => (region === '' ? [rate] : [])),
      provinces: grouped(own.filter(([region]) => region !== '')),
      territories: territories(code),
      codeRates: grouped(codeRates(code)),
    };
  });
  return new Map(countries.map((country) => [country.code, country]));
};

type PlaceTables = Pick<
  TaxContent,
  'zips' | 'counties' | 'countyStates' | 'places' | 'placesByFips' | 'placesOf'
>;

const STATE_LENGTH = 2;
const ZIP_GROUP_LENGTH = 3;

/** Group places by state and place key; an alias leads to the same place. */
const placesByKey = (rows: readonly TableRow[]): ReadonlyMap<string, Place[]> => {
  const places = new Map<string, Place[]>();
  for (const row of rows) {
    const place = placeRow(row);
    const keys = new Set([place.key, ...listOf(row, 'aliases', ';').map(placeKey)]);
    for (const key of keys) addTo(places, `${row.cell('state')} ${key}`, place);
  }
  return places;
};

const placesByFips = (rows: readonly TableRow[]): ReadonlyMap<string, Place> =>
  new Map(rows.map((row) => [`${row.cell('state')} ${row.cell('fips')}`, placeRow(row)]));

const zipsOf = (rows: readonly TableRow[]): ReadonlyMap<string, ZipCounties> =>
  new Map(rows.map((row) => [row.cell('zip'), zipRow(row)]));

/** Load the tables that find a county and a place from an address. */
export const loadPlaces = (folder: ContentFolder): PlaceTables => {
  const counties = readTable(
    folder,
    'counties.tsv',
    (row) => [row.cell('fips'), row.cell('state'), row.cell('name')] as const,
  );
  const places = groupedRows(folder, 'places.tsv', STATE_LENGTH);
  return {
    zips: lookup(groupedRows(folder, 'zips.tsv', ZIP_GROUP_LENGTH), zipsOf),
    counties: new Map(counties.map(([fips, , name]) => [fips, name])),
    countyStates: new Map(counties.map(([fips, state]) => [fips, state])),
    places: lookup(places, placesByKey),
    placesByFips: lookup(places, placesByFips),
    placesOf: (state) => places.rowsOf(state).map(placeRow),
  };
};

/**
 * Returns the digest of the files of a content folder, by default the built-in one. It skips boundary tables, which are
 * too large to read here and are made from files whose digests are in the manifest.
 */
export const contentDigest = (folder = DEFAULT_CONTENT_FOLDER): string =>
  filesDigest(
    folder,
    filePathsBelow(folder).filter((path) => stateOfBoundaries(basename(path)) === undefined),
  );

/**
 * Returns the name of the content that a service calculates with. A version number is not enough: correcting a rate in
 * a content folder changes the digest after it.
 */
export const contentName = (
  { name, version, date }: Pick<TaxContent, 'name' | 'version' | 'date'>,
  folder?: string,
): string => `${name} ${version} of ${date} #${contentDigest(folder).slice(0, 8)}`;
