import { readFactTree } from './fact-file.ts';
import { tableText } from './table-text.ts';

type Cited = { readonly source_keys?: readonly string[]; readonly confidence: string };
type StateFacts = {
  readonly code: string;
  readonly name: string;
  readonly fips: string;
  readonly has_local_taxes: boolean;
  readonly sst_member: string;
  readonly sourcing: Cited & { readonly intrastate: string | null; readonly note?: string };
};

const sources = (cited: Cited): string => (cited.source_keys ?? []).join(' ');

/** The states, and where each of them sources. */
export const deriveStates = (folder: string): Record<string, string> => {
  const tree = readFactTree(folder, 'states.json') as { states: Readonly<Record<string, StateFacts>> };
  const states = Object.values(tree.states);
  const sourcing = states.map((state) => [
    state.code,
    state.sourcing.intrastate ?? 'destination',
    '',
    '',
    sources(state.sourcing),
    state.sourcing.confidence,
    state.sourcing.note,
  ]);
  const dated = ['from', 'to', 'source', 'confidence'];
  return {
    'states.tsv': tableText(
      ['state', 'fips', 'name', 'local_taxes'],
      states.map((state) => [state.code, state.fips, state.name, state.has_local_taxes ? 'yes' : 'no']),
    ),
    'sourcing.tsv': tableText(['state', 'in_state_sellers', ...dated, 'note'], sourcing),
  };
};
