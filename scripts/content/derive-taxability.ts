import { field, readFacts, readFactTree } from './fact-file.ts';
import { type Cell, tableText } from './table-text.ts';

type Local = {
  readonly mode: string;
  readonly default?: string;
  readonly rate?: string;
  readonly note?: string;
  readonly exempt?: readonly {
    readonly county: string;
    readonly except_places?: readonly string[];
    readonly from?: string;
  }[];
};
type Treatment = {
  readonly treatment: string;
  readonly from?: string | null;
  readonly to?: string | null;
  readonly state_rate?: string;
  readonly rate?: string;
  readonly taxable_fraction?: string;
  readonly threshold?: { readonly amount: string; readonly type: string };
  readonly local?: Local;
  readonly condition?: string | null;
  readonly business_use?: object;
  readonly source_keys?: readonly string[];
  readonly confidence: string;
};
type Code = { readonly default: Treatment; readonly states: Readonly<Record<string, readonly Treatment[]>> };

const THRESHOLD: Readonly<Record<string, string>> = {
  below_exempt: 'below-exempt',
  excess_only: 'excess-only',
};

const LOCAL: Readonly<Record<string, string>> = {
  full: 'full',
  exempt: 'exempt',
  none: 'exempt',
  uniform: 'uniform',
  partial: 'unknown',
  unknown: 'unknown',
};

/** What local taxes do: `follow` the state, or a word of their own; and the rate where there is one for all. */
const localOf = (local: Local | undefined): [string, string] => {
  if (local === undefined) return ['follow', ''];
  if (local.mode.startsWith('same_as:')) return [`like ${local.mode.slice(8)}`, ''];
  if (local.mode === 'by_locality') {
    if (local.exempt) return ['listed-exempt', ''];
    if (local.default === 'full_grocery_tax_where_adopted') return ['food-rows', local.rate ?? ''];
    return [local.default === 'full' ? 'full' : 'food-rows', local.default === 'full' ? '' : '0'];
  }
  const word = LOCAL[local.mode];
  if (word === undefined) throw new Error(`unknown local mode ${local.mode}`);
  return [word, local.rate ?? ''];
};

const treatmentWord = (word: string): string =>
  word.startsWith('same_as:') ? `like ${word.slice(8)}` : word.replace('_', '-');

/** Limits that a request cannot show to be met: the row is kept, and switched off. */
const isLimited = (row: Treatment): boolean => (row.condition ?? '').includes('otherwise');

const noteOf = (row: Treatment): string =>
  [
    row.condition,
    row.local?.note,
    row.business_use ? `business use: ${JSON.stringify(row.business_use)}` : '',
  ]
    .filter((part) => part)
    .join('; ');

const ruleRow = (code: string, state: string, row: Treatment): Cell[] => {
  const [local, localRate] = localOf(row.local);
  return [
    code,
    state,
    treatmentWord(row.treatment),
    row.state_rate ?? row.rate,
    row.taxable_fraction,
    row.threshold?.amount,
    row.threshold ? THRESHOLD[row.threshold.type] : '',
    local,
    localRate,
    isLimited(row) ? 'off' : '',
    row.from,
    row.to,
    (row.source_keys ?? []).join(' '),
    row.confidence,
    noteOf(row),
  ];
};

const HEADER = [
  'code',
  'state',
  'treatment',
  'rate',
  'fraction',
  'threshold',
  'threshold_kind',
  'local',
  'local_rate',
  'switch',
  'from',
  'to',
  'source',
  'confidence',
  'note',
];

/** How each category is taxed, by state, and the localities that decide for themselves. */
export const deriveTaxability = (folder: string): Record<string, string> => {
  const tree = readFactTree(folder, 'taxability.json') as { codes: Readonly<Record<string, Code>> };
  const countyCode = new Map(
    readFacts(folder, 'zip-county.csv').map((fact) => [
      `${field(fact, 'state')} ${field(fact, 'county_name')}`,
      field(fact, 'county_fips').slice(2),
    ]),
  );
  const rules: Cell[][] = [];
  const localities: Cell[][] = [];
  for (const [code, { default: base, states }] of Object.entries(tree.codes).sort()) {
    rules.push(ruleRow(code, '*', base));
    for (const [state, rows] of Object.entries(states).sort()) {
      for (const row of rows) {
        rules.push(ruleRow(code, state, row));
        for (const place of row.local?.exempt ?? []) {
          localities.push([
            code,
            state,
            countyCode.get(`${state} ${place.county}`),
            (place.except_places ?? []).join(';'),
            place.from,
            '',
            (row.source_keys ?? []).join(' '),
            row.confidence,
          ]);
        }
      }
    }
  }
  return {
    'taxability.tsv': tableText(HEADER, rules),
    'locality-exemptions.tsv': tableText(
      ['code', 'state', 'county', 'except_places', 'from', 'to', 'source', 'confidence'],
      localities,
    ),
  };
};
