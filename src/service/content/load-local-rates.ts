import type { ContentFolder } from './content-folder.ts';
import { datedOf, listOf, rateOf, readTable, type TableRow, wordOf } from './content-table.ts';
import { placeKey } from './place-name.ts';
import type { LocalRate } from './tax-content.ts';

/** The local rates of one state, and those that can hold in each of its counties. */
export type StateLocalRates = {
  readonly rates: LocalRate[];
  readonly byCounty: Map<string, LocalRate[]>;
};

const LEVELS = ['county', 'city', 'special'] as const;
const TAXES = ['general', 'food'] as const;
const SCOPES = ['county', 'unincorporated', 'place', 'unmapped'] as const;
const NO_PLACES: ReadonlySet<string> = new Set();

const keysOf = (row: TableRow, column: string): ReadonlySet<string> => {
  const names = listOf(row, column, ';');
  return names.length === 0 ? NO_PLACES : new Set(names.map(placeKey));
};

const localRate = (row: TableRow): LocalRate => ({
  ...datedOf(row),
  rate: rateOf(row),
  state: row.cell('state'),
  level: wordOf(row, 'level', LEVELS),
  code: row.cell('code'),
  name: row.cell('name'),
  tax: wordOf(row, 'tax', TAXES),
  scope: wordOf(row, 'scope', SCOPES),
  counties: listOf(row, 'counties', ' '),
  places: keysOf(row, 'places'),
  exceptPlaces: keysOf(row, 'except_places'),
  seen: row.cell('seen'),
});

/** Local rates by state. */
export const loadLocalRates = (folder: ContentFolder): ReadonlyMap<string, StateLocalRates> => {
  const states = new Map<string, StateLocalRates>();
  for (const rate of readTable(folder, 'local-rates.tsv', localRate)) {
    const state: StateLocalRates = states.get(rate.state) ?? { rates: [], byCounty: new Map() };
    states.set(rate.state, state);
    state.rates.push(rate);
    for (const county of rate.counties) {
      const group = state.byCounty.get(county);
      if (group) group.push(rate);
      else state.byCounty.set(county, [rate]);
    }
  }
  return states;
};
