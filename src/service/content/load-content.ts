import { fileURLToPath } from 'node:url';
import { calendarDate } from '../../kernel/calendar.ts';
import { boundaryIndex } from './boundaries/boundary-index.ts';
import { type ContentFolder, openContentFolder, stateOfBoundaries, tablePath } from './content-folder.ts';
import { readTable } from './content-table.ts';
import { loadCountries } from './load-countries.ts';
import { loadPlaces } from './load-places.ts';
import { loadStates } from './load-states.ts';
import { loadTaxability } from './load-taxability.ts';
import { loadOfficialFiles } from './official-files.ts';
import type { TaxContent } from './tax-content.ts';

/** The folder of the default content. */
export const DEFAULT_CONTENT_FOLDER = fileURLToPath(new URL('./data', import.meta.url));

/**
 * Read a content folder, the default content when none is named. The rows of large tables are taken apart when they are
 * needed, and boundary files are read row by row; nothing else is read after this.
 *
 * @throws {ContentDamagedError} when a table is missing or cut off; later, when a row that is needed contradicts itself
 */
export const loadContent = (path?: string): TaxContent => {
  if (path !== undefined) return contentIn(path);
  shipped ??= contentIn(DEFAULT_CONTENT_FOLDER);
  return shipped;
};

/** The same, with every row of another folder than the default taken apart, so that damage is found now. */
export const loadWholeContent = (path?: string): TaxContent =>
  path === undefined ? loadContent() : readInFull(contentIn(path));

/** The content that comes with Tieout does not change while the program runs, so it is read once. */
let shipped: TaxContent | undefined;

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
    officialFiles: loadOfficialFiles(folder),
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

/** The boundary files that were imported, by state. */
const boundariesOf = (folder: ContentFolder): TaxContent['boundaries'] =>
  new Map(
    Object.keys(folder.manifest.tables ?? {}).flatMap((table) => {
      const state = stateOfBoundaries(table);
      return state === undefined ? [] : [[state, boundaryIndex(tablePath(folder, table), table)] as const];
    }),
  );
