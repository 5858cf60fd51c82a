import { type Rate, ZERO_RATE } from '../../kernel/money.ts';
import type { ContentFolder } from './content-folder.ts';
import { datedOf, listOf, rateOf, readTable, type TableRow, wordOf } from './content-table.ts';
import { groupedRows, lookup } from './grouped-rows.ts';
import { amountOf } from './load-states.ts';
import { placeKey } from './place-name.ts';
import { LOCAL_TREATMENTS, type TaxabilityRow, type TaxContent, TREATMENTS } from './tax-content.ts';

const optionalRate = (row: TableRow, column: string): Rate =>
  row.cell(column) === '' ? ZERO_RATE : rateOf(row, column);

/** Read a cell such as `like 40030`: the word, and the category after it. */
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
    localRate: row.cell('local_rate') === '' ? undefined : rateOf(row, 'local_rate'),
    on: setting !== 'off',
    doubtful: setting !== 'on' && !confidence.has(dated.confidence),
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
