import {
  addTo,
  type ContentFolder,
  groupedRows,
  lookup,
  readTable,
  type TableRow,
  tablesBy,
} from './content-folder.ts';
import {
  type Certain,
  freightRow,
  holiday,
  type LocalRate,
  localityExemption,
  localRate,
  NO_COVERAGE,
  type StateContent,
  sourcingRow,
  specialRule,
  stateRate,
  type TaxabilityRow,
  type TaxContent,
  taxabilityRow,
} from './tax-content.ts';

/** Load the states: rates, sourcing, freight, special rules and local rates of each. */
export const loadStates = (folder: ContentFolder): ReadonlyMap<string, StateContent> => {
  const certain: Certain = new Set(folder.manifest.confidence);
  const table = tablesBy(folder, 'state');
  const rates = table('state-rates.tsv', stateRate);
  const sourcing = table('sourcing.tsv', sourcingRow);
  const freight = table('freight.tsv', freightRow);
  const special = table('special-rules.tsv', (row) => specialRule(row, certain));
  const holidays = table('holidays.tsv', (row) => holiday(row, certain));
  const coverage = table('coverage.tsv', (row) => ({
    coverage: row.cell('coverage'),
    coverageNote: row.cell('note'),
    coverageSeen: row.cell('seen'),
    coveredSince: row.cell('since'),
    coveredUntil: row.cell('until'),
  }));
  const local = loadLocalRates(folder);
  const states = readTable(folder, 'states.tsv', (row): StateContent => {
    const code = row.cell('state');
    return {
      code,
      name: row.cell('name'),
      rates: rates(code),
      sourcing: sourcing(code),
      freight: freight(code),
      special: special(code),
      holidays: holidays(code),
      ...(coverage(code)[0] ?? NO_COVERAGE),
      get localRates() {
        return local(code).rates;
      },
      get localByCounty() {
        return local(code).byCounty;
      },
      get unmappedRates() {
        return local(code).unmapped;
      },
    };
  });
  return new Map(states.map((state) => [state.code, state]));
};

const STATE_LENGTH = 2;

/** Return a function that loads the local rates of a state, which are parsed when they are first needed. */
const loadLocalRates = (folder: ContentFolder) => {
  const { rowsOf } = groupedRows(folder, 'local-rates.tsv', STATE_LENGTH);
  const states = new Map<string, ReturnType<typeof ratesOf>>();
  return (state: string) => {
    const known = states.get(state) ?? ratesOf(rowsOf(state));
    states.set(state, known);
    return known;
  };
};

/** Return the local rates of one state, and those that may apply in each of its counties. */
const ratesOf = (rows: readonly TableRow[]) => {
  const rates = rows.map(localRate);
  const byCounty = new Map<string, LocalRate[]>();
  for (const rate of rates) for (const county of rate.counties) addTo(byCounty, county, rate);
  const unmapped = rates.filter(({ scope, tax }) => scope === 'unmapped' && tax === 'general');
  return { rates, byCounty, unmapped };
};

type States = Map<string, TaxabilityRow[]>;

const statesByCode = (rows: readonly TaxabilityRow[]): ReadonlyMap<string, States> =>
  new Map(
    [...Map.groupBy(rows, ({ code }) => code)].map(([code, own]) => [
      code,
      Map.groupBy(own, ({ state }) => state),
    ]),
  );

const CODE_LENGTH = 5;

/** Load how categories are taxed, and the exemptions of localities. */
export const loadTaxability = (
  folder: ContentFolder,
  certain: Certain,
): Pick<TaxContent, 'taxability' | 'localities'> => {
  const byCode = groupedRows(folder, 'taxability.tsv', CODE_LENGTH);
  const taxability = lookup(byCode, (rows) => statesByCode(rows.map((row) => taxabilityRow(row, certain))));
  const exemptions = readTable(folder, 'locality-exemptions.tsv', localityExemption);
  return { taxability, localities: Map.groupBy(exemptions, ({ key }) => key) };
};
