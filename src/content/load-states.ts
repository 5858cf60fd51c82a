import { type Price, parseExactPrice, type Rate, ZERO_PRICE, ZERO_RATE } from '../kernel/money.ts';
import {
  ContentDamagedError,
  type ContentFolder,
  datedOf,
  groupedRows,
  listOf,
  lookup,
  rateOf,
  readTable,
  type TableRow,
  wordOf,
} from './content-folder.ts';
import { placeKey } from './place-lookup.ts';
import {
  FREIGHT_RULES,
  type FreightRow,
  type Holiday,
  LOCAL_TREATMENTS,
  type LocalRate,
  type SourcingRow,
  SPECIAL_KINDS,
  type SpecialRule,
  type StateContent,
  type StateRate,
  type TaxabilityRow,
  type TaxContent,
  TREATMENTS,
} from './tax-content.ts';

/** Read an amount column; empty is zero. */
export const amountOf = ({ place, cell }: TableRow, column: string): Price => {
  if (cell(column) === '') return ZERO_PRICE;
  const amount = parseExactPrice(cell(column));
  if (amount === undefined) throw new ContentDamagedError(place, `${cell(column)} is not an amount`);
  return amount;
};

const specialRule = (row: TableRow): Omit<SpecialRule, 'doubtful'> => ({
  ...datedOf(row),
  kind: wordOf(row, 'kind', SPECIAL_KINDS),
  codes: listOf(row, 'codes', ' '),
  rate: row.cell('rate') === '' ? ZERO_RATE : rateOf(row),
  amountFrom: amountOf(row, 'amount_from'),
  amountTo: amountOf(row, 'amount_to'),
  places: new Set(listOf(row, 'places', ';').map(placeKey)),
  note: row.cell('note'),
});

const holiday = (row: TableRow): Omit<Holiday, 'doubtful'> => ({
  ...datedOf(row),
  name: row.cell('name'),
  goods: row.cell('goods'),
  codes: listOf(row, 'codes', ' '),
  limit: amountOf(row, 'limit'),
  limitKind: wordOf(row, 'limit_kind', ['', 'or-less', 'below', 'first-part']),
  rate: row.cell('rate') === '' ? ZERO_RATE : rateOf(row),
  local: wordOf(row, 'local', ['follow', 'stay', 'opt-in', 'opt-out']),
  on: row.cell('switch') !== 'off',
});

/** Load the states: rates, sourcing, freight, special rules and local rates of each. */
export const loadStates = (folder: ContentFolder): ReadonlyMap<string, StateContent> => {
  const certain: ReadonlySet<string> = new Set(folder.manifest.confidence);
  const judged = <Row extends { readonly confidence: string }>(row: Row) => ({
    ...row,
    doubtful: !certain.has(row.confidence),
  });
  /** Group the rows of a table by state. */
  const table = <Row>(name: string, make: (row: TableRow) => Row): ((state: string) => readonly Row[]) => {
    const read = readTable(folder, name, (row) => ({ state: row.cell('state'), row: make(row) }));
    const groups = Map.groupBy(read, ({ state }) => state);
    return (state) => groups.get(state)?.map(({ row }) => row) ?? [];
  };
  const rates = table<StateRate>('state-rates.tsv', (row) => ({
    ...datedOf(row),
    rate: rateOf(row),
    knownSince: row.cell('known_since'),
  }));
  const sourcing = table<SourcingRow>('sourcing.tsv', (row) => ({
    ...datedOf(row),
    inStateSellers: wordOf(row, 'in_state_sellers', ['origin', 'destination', 'mixed']),
  }));
  const freight = table<FreightRow>('freight.tsv', (row) => ({
    ...datedOf(row),
    rule: wordOf(row, 'rule', FREIGHT_RULES),
    inLimits: wordOf(row, 'in_limits', ['', 'yes', 'no']) === 'yes',
    oneItem: wordOf(row, 'one_item', ['', 'yes']) === 'yes',
    otherwise: row.cell('otherwise'),
  }));
  const special = table('special-rules.tsv', (row) => judged(specialRule(row)));
  const holidays = table('holidays.tsv', (row) => judged(holiday(row)));
  const coverage = table('coverage.tsv', (row) => ({
    word: row.cell('coverage'),
    note: row.cell('note'),
    seen: row.cell('seen'),
    since: row.cell('since'),
    until: row.cell('until'),
  }));
  const local = loadLocalRates(folder);
  const states = readTable(folder, 'states.tsv', (row): StateContent => {
    const code = row.cell('state');
    const [covered] = coverage(code);
    return {
      code,
      name: row.cell('name'),
      rates: rates(code),
      sourcing: sourcing(code),
      freight: freight(code),
      special: special(code),
      holidays: holidays(code),
      coverage: covered?.word ?? 'minimal',
      coverageNote: covered?.note ?? '',
      coverageSeen: covered?.seen ?? '',
      coveredSince: covered?.since ?? '',
      coveredUntil: covered?.until ?? '',
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

/** The local rates of one state, and those that may apply in each of its counties. */
type StateLocalRates = {
  readonly rates: readonly LocalRate[];
  readonly byCounty: ReadonlyMap<string, readonly LocalRate[]>;
  readonly unmapped: readonly LocalRate[];
};

const LEVELS = ['county', 'city', 'special'] as const;
export const LOCAL_TAXES = ['general', 'food', 'drugs'] as const;
export const RATE_SCOPES = ['county', 'unincorporated', 'place', 'unmapped'] as const;
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
  tax: wordOf(row, 'tax', LOCAL_TAXES),
  scope: wordOf(row, 'scope', RATE_SCOPES),
  counties: listOf(row, 'counties', ' '),
  places: keysOf(row, 'places'),
  exceptPlaces: keysOf(row, 'except_places'),
  seen: row.cell('seen'),
});

const STATE_LENGTH = 2;

/** Return a function that loads the local rates of a state, which are parsed when they are first needed. */
const loadLocalRates = (folder: ContentFolder): ((state: string) => StateLocalRates) => {
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
  const unmapped = rates.filter(({ scope, tax }) => scope === 'unmapped' && tax === 'general');
  return { rates, byCounty, unmapped };
};

const optionalRate = (row: TableRow, column: string): Rate =>
  row.cell(column) === '' ? ZERO_RATE : rateOf(row, column);

const taxabilityRow = (row: TableRow, confidence: ReadonlySet<string>): TaxabilityRow => {
  const dated = datedOf(row);
  const [treatment = '', like = ''] = row.cell('treatment').split(' ');
  const fraction = row.cell('fraction') === '' ? 10_000_000 : rateOf(row, 'fraction');
  return {
    ...dated,
    code: row.cell('code'),
    state: row.cell('state'),
    use: wordOf(row, 'use', ['', 'business', 'personal']),
    treatment: wordOf({ ...row, cell: () => treatment }, 'treatment', TREATMENTS),
    like,
    rate: optionalRate(row, 'rate'),
    percent: fraction / 100_000,
    threshold: amountOf(row, 'threshold'),
    thresholdKind: wordOf(row, 'threshold_kind', ['', 'below-exempt', 'excess-only']),
    local: wordOf(row, 'local', LOCAL_TREATMENTS),
    localRate: row.cell('local_rate') === '' ? undefined : rateOf(row, 'local_rate'),
    doubtful: !confidence.has(dated.confidence),
    note: row.cell('note'),
  };
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
  confidence: ReadonlySet<string>,
): Pick<TaxContent, 'taxability' | 'localities'> => {
  const byCode = groupedRows(folder, 'taxability.tsv', CODE_LENGTH);
  const taxability = lookup(byCode, (rows) =>
    statesByCode(rows.map((row) => taxabilityRow(row, confidence))),
  );
  const exemptions = readTable(folder, 'locality-exemptions.tsv', (row) => ({
    ...datedOf(row),
    key: `${row.cell('code')} ${row.cell('state')}`,
    county: row.cell('county'),
    exceptPlaces: new Set(listOf(row, 'except_places', ';').map(placeKey)),
  }));
  return { taxability, localities: Map.groupBy(exemptions, ({ key }) => key) };
};
