import { COLUMNS, LOCAL_RATES } from '../../src/service/content/import/table-rows.ts';
import { deriveColorado } from './derive-colorado.ts';
import { deriveIllinois } from './derive-illinois.ts';
import { deriveWashington } from './derive-washington.ts';
import { type Fact, field, readFacts } from './fact-file.ts';
import { type RateRow, rateCells } from './rate-row.ts';
import { type Cell, tableText } from './table-text.ts';

/** County names as the fact tables spell them, to the three digits of the county within its state. */
const countyCodes = (folder: string): Map<string, string> => {
  const codes = new Map<string, string>();
  for (const fact of readFacts(folder, 'zip-county.csv')) {
    codes.set(`${field(fact, 'state')} ${field(fact, 'county_name')}`, field(fact, 'county_fips').slice(2));
  }
  return codes;
};

const rateRow = (fact: Fact, codes: ReadonlyMap<string, string>): RateRow => {
  const state = field(fact, 'state');
  const counties = field(fact, 'counties')
    .split(';')
    .filter((name) => name !== '')
    .map((name) => {
      const code = codes.get(`${state} ${name}`);
      if (code === undefined) throw new Error(`${name}, ${state} is not a known county`);
      return code;
    });
  const listed = (column: string) =>
    field(fact, column)
      .split(';')
      .filter((name) => name !== '');
  return {
    state,
    level: field(fact, 'level') as RateRow['level'],
    code: field(fact, 'code'),
    name: field(fact, 'name'),
    tax: field(fact, 'tax_type') as NonNullable<RateRow['tax']>,
    scope: field(fact, 'applies') as RateRow['scope'],
    counties,
    places: listed('places'),
    exceptPlaces: listed('except_places'),
    rate: field(fact, 'rate'),
    from: field(fact, 'from'),
    to: field(fact, 'to'),
    source: field(fact, 'source_key'),
    confidence: field(fact, 'confidence'),
    seen: field(fact, 'as_of'),
    note: field(fact, 'note'),
  };
};

/** By county and jurisdiction, oldest first. */
const byPlace = (left: RateRow, right: RateRow): number => (placeKey(left) < placeKey(right) ? -1 : 1);

const placeKey = ({ counties, level, code, tax, from }: RateRow): string =>
  [counties[0], level, code, tax, from].join('\t');

/** Sources of what is derived from tables of their own, with the day on which they were seen. */
const OF_OWN_TABLES: readonly Cell[][] = [
  [
    'census-zcta-2010',
    'Census Bureau, 2010 ZCTA to county relationship file: the people of a ZIP by county',
    'official file',
    '2010',
  ],
  [
    'census-zcta-places',
    'Census Bureau, ZCTA to place relationship files of 2010 (people) and 2020 (land), in bdurand/us_geo (MIT)',
    'official file',
    '2020',
  ],
  [
    'wa-dor-tables',
    'Washington Department of Revenue, local sales tax rates by location, tables of 2022-01-01 to 2026-06-30 (kidGodzilla/washington-state-sales-tax, MIT)',
    'official tables, copied',
    '2026-06-30',
  ],
  [
    'co-dr1002',
    'Colorado Department of Revenue, DR 1002, tables of 2021 to 2025 (cotaxaide/Calculators)',
    'official tables, copied by hand',
    '2025-07-12',
  ],
  [
    'il-2026-01',
    'Illinois Department of Revenue, machine-readable general merchandise rates of 2026-01-01, A to Cicero',
    'official file, copied',
    '2026-01-01',
  ],
  [
    'il-2026-08',
    'Illinois machine-readable rates of August 2026, compared with those of 2026-01-01 location by location',
    'secondary',
    '2026-08-16',
  ],
  [
    'il-idor-mass',
    'Illinois Department of Revenue, page Mass Transit District Sales Tax',
    'official page',
    'undated',
  ],
  [
    'il-grocery-news',
    'The Center Square, grocery tax of Chicago not decided by the day of the state, that of Bloomington adopted',
    'secondary',
    '2025-09-26',
  ],
];

/** Sources that only official files bring in, when they are imported. */
const IMPORTED: readonly Cell[][] = [
  ['tx-file', 'Local sales tax rates, Texas Comptroller of Public Accounts', 'official file', ''],
  [
    'il-file',
    'Machine-readable general merchandise rates, Illinois Department of Revenue',
    'official file',
    '',
  ],
  ['il-grocery-file', 'Machine-readable grocery rates, Illinois Department of Revenue', 'official file', ''],
  ['wa-file', 'Local sales tax rates by location, Washington Department of Revenue', 'official file', ''],
];

/** The rates of counties, cities and special districts: those of some states from tables of their own. */
export const deriveRates = (folder: string): Record<string, string> => {
  const codes = countyCodes(folder);
  const general = readFacts(folder, 'local-rates.csv').map((fact) => rateRow(fact, codes));
  const ofState = (code: string) => general.filter(({ state }) => state === code);
  const single: ReadonlyMap<string, readonly RateRow[]> = new Map([
    ['CO', deriveColorado(folder, ofState('CO'))],
    ['IL', deriveIllinois(folder, ofState('IL'))],
    ['WA', deriveWashington(folder)],
  ]);
  const states = [...new Set(general.map(({ state }) => state))];
  const rates = states.flatMap((state) => single.get(state)?.toSorted(byPlace) ?? ofState(state));
  const sources = readFacts(folder, 'sources.csv').map((fact) => [
    field(fact, 'source_key'),
    field(fact, 'title'),
    field(fact, 'kind'),
    field(fact, 'as_of'),
  ]);
  return {
    'local-rates.tsv': tableText(COLUMNS[LOCAL_RATES] ?? [], rates.map(rateCells)),
    'sources.tsv': tableText(
      ['source', 'title', 'kind', 'seen'],
      [...sources, ...OF_OWN_TABLES, ...IMPORTED],
    ),
  };
};
