import { type Rate, ZERO_RATE } from '../../kernel/rate.ts';
import type { ContentFolder } from './content-folder.ts';
import { datedOf, listOf, rateOf, readTable, type TableRow, wordOf } from './content-table.ts';
import { groupedRows, lookup } from './grouped-rows.ts';
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
    use: wordOf(row, 'use', ['', 'business', 'personal']),
    treatment,
    like,
    rate: optionalRate(row, 'rate'),
    percent: fraction / 100_000,
    threshold: amountOf(row, 'threshold'),
    thresholdKind: wordOf(row, 'threshold_kind', ['', 'below-exempt', 'excess-only']),
    local,
    localLike,
    localRate: optionalRate(row, 'local_rate'),
    on: setting !== 'off',
    doubtful: setting !== 'on' && !confidence.has(dated.confidence),
    note: row.cell('note'),
  };
};

type States = Map<string, TaxabilityRow[]>;

const statesByCode = (rows: readonly TaxabilityRow[]): ReadonlyMap<string, States> => {
  const codes = new Map<string, States>();
  for (const row of rows) {
    const states: States = codes.get(row.code) ?? new Map();
    codes.set(row.code, states);
    const group = states.get(row.state);
    if (group) group.push(row);
    else states.set(row.state, [row]);
  }
  return codes;
};

const CODE_LENGTH = 5;

/** How categories are taxed, and the localities that decide for themselves. */
export const loadTaxability = (
  folder: ContentFolder,
  confidence: ReadonlySet<string>,
): Pick<TaxContent, 'taxability' | 'localities'> => {
  const byCode = groupedRows(folder, 'taxability.tsv', CODE_LENGTH);
  const taxability = lookup(byCode, (rows) =>
    statesByCode(rows.map((row) => taxabilityRow(row, confidence))),
  );
  const localities = new Map<string, LocalityExemption[]>();
  readTable(folder, 'locality-exemptions.tsv', (row) => {
    const key = `${row.cell('code')} ${row.cell('state')}`;
    const exceptPlaces = new Set(listOf(row, 'except_places', ';').map(placeKey));
    const exemption = { ...datedOf(row), county: row.cell('county'), exceptPlaces };
    localities.set(key, [...(localities.get(key) ?? []), exemption]);
  });
  return { taxability, localities };
};
