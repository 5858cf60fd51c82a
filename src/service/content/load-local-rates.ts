import type { ContentFolder } from './content-folder.ts';
import { datedOf, listOf, rateOf, type TableRow, wordOf } from './content-table.ts';
import { groupedRows } from './grouped-rows.ts';
import { placeKey } from './place-name.ts';
import type { LocalRate } from './tax-content.ts';

/** The local rates of one state, and those that can hold in each of its counties. */
export type StateLocalRates = {
  readonly rates: readonly LocalRate[];
  readonly byCounty: ReadonlyMap<string, readonly LocalRate[]>;
};

const LEVELS = ['county', 'city', 'special'] as const;
const TAXES = ['general', 'food', 'drugs'] as const;
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

const STATE_LENGTH = 2;

/** The local rates of a state, which are taken apart when they are first needed. */
export const loadLocalRates = (folder: ContentFolder): ((state: string) => StateLocalRates) => {
  const { rowsOf } = groupedRows(folder, 'local-rates.tsv', STATE_LENGTH);
  const states = new Map<string, StateLocalRates>();
  return (state) => {
    const known = states.get(state) ?? ratesOf(rowsOf(state));
    states.set(state, known);
    return known;
  };
};

const ratesOf = (rows: readonly TableRow[]): StateLocalRates => {
  const rates = rows.map(localRate);
  const byCounty = new Map<string, LocalRate[]>();
  for (const rate of rates) {
    for (const county of rate.counties) {
      const group = byCounty.get(county);
      if (group) group.push(rate);
      else byCounty.set(county, [rate]);
    }
  }
  return { rates, byCounty };
};
