import type { ContentFolder } from './content-folder.ts';
import { datedOf, listOf, rateOf, readTable, type TableRow } from './content-table.ts';
import { placeKey } from './place-name.ts';
import type { LocalLevel, LocalRate } from './tax-content.ts';

/** The local rates of one state, and those that can hold in each of its counties. */
export type StateLocalRates = {
  readonly rates: LocalRate[];
  readonly byCounty: Map<string, LocalRate[]>;
};

const NO_PLACES: ReadonlySet<string> = new Set();

const keysOf = (row: TableRow, column: string): ReadonlySet<string> => {
  const names = listOf(row, column, ';');
  return names.length === 0 ? NO_PLACES : new Set(names.map(placeKey));
};

const localRate = (row: TableRow): LocalRate => ({
  ...datedOf(row),
  rate: rateOf(row),
  state: row.cell('state'),
  level: row.cell('level') as LocalLevel,
  code: row.cell('code'),
  name: row.cell('name'),
  tax: row.cell('tax') as LocalRate['tax'],
  scope: row.cell('scope') as LocalRate['scope'],
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
