import { COLUMNS, LOCAL_RATES } from '../../src/service/content/import/table-rows.ts';
import { type Fact, field, readFacts } from './fact-file.ts';
import { type Cell, tableText } from './table-text.ts';

/** County names as the fact tables spell them, to the three digits of the county within its state. */
const countyCodes = (folder: string): Map<string, string> => {
  const codes = new Map<string, string>();
  for (const fact of readFacts(folder, 'zip-county.csv')) {
    codes.set(`${field(fact, 'state')} ${field(fact, 'county_name')}`, field(fact, 'county_fips').slice(2));
  }
  return codes;
};

const rateRow = (fact: Fact, codes: ReadonlyMap<string, string>): Cell[] => {
  const state = field(fact, 'state');
  const counties = field(fact, 'counties')
    .split(';')
    .filter((name) => name !== '')
    .map((name) => {
      const code = codes.get(`${state} ${name}`);
      if (code === undefined) throw new Error(`${name}, ${state} is not a known county`);
      return code;
    });
  return [
    state,
    field(fact, 'level'),
    field(fact, 'code'),
    field(fact, 'name'),
    field(fact, 'tax_type'),
    field(fact, 'applies'),
    counties.join(' '),
    field(fact, 'places'),
    field(fact, 'except_places'),
    field(fact, 'rate'),
    field(fact, 'from'),
    field(fact, 'to'),
    field(fact, 'source_key'),
    field(fact, 'confidence'),
    field(fact, 'as_of'),
    field(fact, 'note'),
  ];
};

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

/** The rates of counties, cities and special districts, and what they cover. */
export const deriveRates = (folder: string): Record<string, string> => {
  const codes = countyCodes(folder);
  const rates = readFacts(folder, 'local-rates.csv').map((fact) => rateRow(fact, codes));
  const coverage = readFacts(folder, 'coverage.csv').map((fact) => [
    field(fact, 'state'),
    field(fact, 'coverage').replaceAll(' ', '-'),
    field(fact, 'newest_as_of'),
    field(fact, 'note'),
  ]);
  const sources = readFacts(folder, 'sources.csv').map((fact) => [
    field(fact, 'source_key'),
    field(fact, 'title'),
    field(fact, 'kind'),
    field(fact, 'as_of'),
  ]);
  return {
    'local-rates.tsv': tableText(COLUMNS[LOCAL_RATES] ?? [], rates),
    'coverage.tsv': tableText(['state', 'coverage', 'seen', 'note'], coverage),
    'sources.tsv': tableText(['source', 'title', 'kind', 'seen'], [...sources, ...IMPORTED]),
  };
};
