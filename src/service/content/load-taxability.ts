import { type Rate, ZERO_RATE } from '../../kernel/rate.ts';
import type { ContentFolder } from './content-folder.ts';
import { datedOf, listOf, rateOf, readTable, type TableRow, wordOf } from './content-table.ts';
import { amountOf } from './load-states.ts';
import { placeKey } from './place-name.ts';
import type { LocalityExemption, TaxabilityRow, TaxContent } from './tax-content.ts';

const optionalRate = (row: TableRow, column: string): Rate =>
  row.cell(column) === '' ? ZERO_RATE : rateOf(row, column);

const TREATMENTS = [
  'taxable',
  'exempt',
  'reduced',
  'threshold',
  'partial',
  'special-rate',
  'unknown',
  'like',
] as const;
const LOCAL_TREATMENTS = [
  'follow',
  'full',
  'exempt',
  'uniform',
  'food-rows',
  'drug-rows',
  'listed-exempt',
  'unknown',
  'like',
] as const;

/** A cell such as `like 40030`: the word, and the category behind it. */
const wordAndCode = <Word extends string>(
  row: TableRow,
  column: string,
  words: readonly Word[],
): [Word, string] => {
  const [word = '', code = ''] = row.cell(column).split(' ');
  return [wordOf({ ...row, cell: () => word }, column, words), code];
};

const taxabilityRow = (row: TableRow, confidence: ReadonlySet<string>): TaxabilityRow => {
  const dated = datedOf(row);
  const [treatment, like] = wordAndCode(row, 'treatment', TREATMENTS);
  const [local, localLike] = wordAndCode(row, 'local', LOCAL_TREATMENTS);
  const fraction = row.cell('fraction') === '' ? 10_000_000 : rateOf(row, 'fraction');
  const setting = row.cell('switch');
  return {
    ...dated,
    code: row.cell('code'),
    state: row.cell('state'),
    treatment,
    like,
    rate: optionalRate(row, 'rate'),
    percent: fraction / 100_000,
    threshold: amountOf(row, 'threshold'),
    thresholdKind: wordOf(row, 'threshold_kind', ['', 'below-exempt', 'excess-only']),
    local,
    localLike,
    localRate: row.cell('local_rate') === '' ? undefined : rateOf(row, 'local_rate'),
    on: setting === 'on' || (setting !== 'off' && confidence.has(dated.confidence)),
    note: row.cell('note'),
  };
};

/** How categories are taxed, and the localities that decide for themselves. */
export const loadTaxability = (
  folder: ContentFolder,
  confidence: ReadonlySet<string>,
): Pick<TaxContent, 'taxability' | 'localities'> => {
  const taxability = new Map<string, Map<string, TaxabilityRow[]>>();
  for (const row of readTable(folder, 'taxability.tsv', (line) => taxabilityRow(line, confidence))) {
    const states = taxability.get(row.code) ?? new Map<string, TaxabilityRow[]>();
    taxability.set(row.code, states);
    states.set(row.state, [...(states.get(row.state) ?? []), row]);
  }
  const localities = new Map<string, LocalityExemption[]>();
  readTable(folder, 'locality-exemptions.tsv', (row) => {
    const key = `${row.cell('code')} ${row.cell('state')}`;
    const exceptPlaces = new Set(listOf(row, 'except_places', ';').map(placeKey));
    const exemption = { ...datedOf(row), county: row.cell('county'), exceptPlaces };
    localities.set(key, [...(localities.get(key) ?? []), exemption]);
  });
  return { taxability, localities };
};
