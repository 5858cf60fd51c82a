import { readFactTree } from './fact-file.ts';
import { type Cell, tableText } from './table-text.ts';

type Cited = { readonly source_keys?: readonly string[]; readonly confidence: string };
type Span = { readonly from: string | null; readonly to: string | null };
type SpecialRule = Cited & {
  readonly type: string;
  readonly codes?: readonly string[];
  readonly rate?: string;
  readonly base?: string;
  readonly over?: string;
  readonly from_amount?: string;
  readonly to_amount?: string;
  readonly where?: string;
};
type StateFacts = {
  readonly code: string;
  readonly name: string;
  readonly fips: string;
  readonly has_local_taxes: boolean;
  readonly sst_member: string;
  readonly state_rates: readonly (Cited & Span & { readonly rate: string })[];
  readonly sourcing: Cited & { readonly intrastate: string | null; readonly note?: string };
  readonly shipping: Cited & { readonly rule: string; readonly citation?: string };
  readonly special_rules: readonly SpecialRule[];
};

const sources = (cited: Cited): string => (cited.source_keys ?? []).join(' ');

const FREIGHT: Readonly<Record<string, string>> = {
  none: 'none',
  always_taxable: 'always',
  conditional: 'conditional',
  exempt_if_separately_stated: 'exempt',
};

/** Kind, levels, codes, rate, amount_from, amount_to and elected of each rule that changes a calculation. */
const specialRow = (rule: SpecialRule): Cell[] | undefined => {
  const codes = (rule.codes ?? []).join(' ');
  switch (rule.type) {
    case 'county_surtax_item_cap':
    case 'single_article_local_cap':
      return ['local-item-cap', codes, '', '', rule.base, '', 'only the first part of the price of one item'];
    case 'single_article_extra_state_tax':
      return [
        'state-item-tier',
        codes,
        rule.rate,
        rule.from_amount,
        rule.to_amount,
        '',
        'extra state tax on a band of the price of one item',
      ];
    case 'luxury_rate':
      return [
        'luxury-rate',
        codes,
        rule.rate,
        rule.over,
        '',
        '',
        'on the whole price of an item above the amount',
      ];
    case 'extra_local_on_code':
      return [
        'code-extra-local',
        codes,
        rule.rate,
        '',
        '',
        '',
        `${rule.where}; the list of them is not known here`,
      ];
    case 'local_total_cap':
      return ['local-total-cap', codes, rule.rate, '', '', '', 'all local taxes together'];
    case 'remote_seller_flat_rate':
      return [
        'flat-total',
        codes,
        rule.rate,
        '',
        '',
        'no',
        'remote sellers may elect one rate for state and local tax',
      ];
    case 'remote_seller_single_local_rate':
      return ['flat-local', codes, rule.rate, '', '', 'no', 'remote sellers may elect one local rate'];
    default:
      return undefined;
  }
};

const SPECIAL_HEADER = [
  'state',
  'kind',
  'codes',
  'rate',
  'amount_from',
  'amount_to',
  'elected',
  'note',
  'places',
  'from',
  'to',
  'source',
  'confidence',
];

/** What each state levies itself, where it sources, how it treats freight, and its rules of its own. */
export const deriveStates = (folder: string): Record<string, string> => {
  const tree = readFactTree(folder, 'states.json') as { states: Readonly<Record<string, StateFacts>> };
  const states = Object.values(tree.states);
  const rates = states.flatMap((state) =>
    state.state_rates.map((row) => [state.code, row.rate, row.from, row.to, sources(row), row.confidence]),
  );
  const sourcing = states.map((state) => [
    state.code,
    state.sourcing.intrastate ?? 'destination',
    '',
    '',
    sources(state.sourcing),
    state.sourcing.confidence,
    state.sourcing.note,
  ]);
  const freight = states.map((state) => [
    state.code,
    FREIGHT[state.shipping.rule],
    '',
    '',
    sources(state.shipping),
    state.shipping.confidence,
    state.shipping.citation,
  ]);
  const special = states.flatMap((state) =>
    state.special_rules.flatMap((rule) => {
      const row = specialRow(rule);
      return row ? [[state.code, ...row, '', '', '', sources(rule), rule.confidence]] : [];
    }),
  );
  const dated = ['from', 'to', 'source', 'confidence'];
  return {
    'states.tsv': tableText(
      ['state', 'fips', 'name', 'local_taxes'],
      states.map((state) => [state.code, state.fips, state.name, state.has_local_taxes ? 'yes' : 'no']),
    ),
    'state-rates.tsv': tableText(['state', 'rate', ...dated], rates),
    'sourcing.tsv': tableText(['state', 'in_state_sellers', ...dated, 'note'], sourcing),
    'freight.tsv': tableText(['state', 'rule', ...dated, 'citation'], freight),
    'special-rules.tsv': tableText(SPECIAL_HEADER, special),
  };
};
