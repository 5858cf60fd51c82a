import type { SelectQueryBuilder } from 'kysely';
import { pagesBy } from '../../database/pages.ts';
import type { Sale } from '../sales/sale.ts';
import { saleKey } from '../sales/sale-name.ts';
import type { Loading, OwnLoading } from './loads.ts';
import { rowsIn } from './queries.ts';
import { beginning, compareKeys, isBelowEndOf, isOf } from './sale-key.ts';
import { DECIDED_OUTCOMES } from './sale-rows.ts';
import type { SaleRow, WorkspaceTables } from './tables.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/** The index of sales while a channel is loaded: what its files state of each sale, and which load last found it. */

/** A number that no load has. */
export const NO_LOAD = 0;

/** Rows per page when the rows are short. */
const SHORT_ROWS = 5_000;

/** Keys in one query. */
export const KEYS_AT_ONCE = 1_000;

export const ofChannel = ({ workspace, channel }: OwnLoading, kind?: Sale['kind']) =>
  rowsIn(workspace, 'sale').where(isOf(channel.name, kind));

export const ofLoad = (load: Loading, kind?: Sale['kind']) =>
  ofChannel(load, kind).where('load', '=', load.number);

/** Yields the rows of a query, those of a channel and kind, in pages by key. */
export const byKey = <Row extends { readonly key: string }>(
  { channel: { name } }: OwnLoading,
  query: SelectQueryBuilder<WorkspaceTables, 'sale', Row>,
  { kind, rows = BATCH_ROWS }: { readonly kind?: Sale['kind']; readonly rows?: number } = {},
): AsyncGenerator<readonly Row[]> =>
  pagesBy(query.where(isBelowEndOf(name, kind)), ['key'], rows, beginning(name, kind));

export const seenBy = ({ workspace, number }: Loading) =>
  rowsIn(workspace, 'sale').where('load', '=', number);

/** A sale as the workspace has it, with the load that last found it. */
export type KnownSale = Pick<SaleRow, (typeof KNOWN_COLUMNS)[number]>;
const KNOWN_COLUMNS = [
  'key',
  'business_date',
  'digest',
  'load',
  'instant',
  'controls',
  'refunded',
  'file',
] as const;

/** Returns the sales with these keys as the workspace has them, with the load that last found each. */
export const knownSales = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<Map<string, KnownSale>> => {
  if (keys.length === 0) return new Map();
  const known = rowsIn(workspace, 'sale').select(KNOWN_COLUMNS);
  const inOrder = [...keys].sort(compareKeys);
  // Records are mostly in the order of their numbers, so one query from the first key to the last is usually enough.
  const between = await known
    .where('key', '>=', inOrder[0] ?? '')
    .where('key', '<=', inOrder.at(-1) ?? '')
    .limit(keys.length + 1)
    .execute();
  const rows = between.length <= keys.length ? between : await known.where('key', 'in', keys).execute();
  const wanted = new Set(keys);
  return new Map(rows.filter(({ key }) => wanted.has(key)).map((row) => [row.key, row]));
};

/** Returns the sales whose key is this prefix followed by a number. */
export const numberedSales = async (workspace: Workspace, prefix: string): Promise<readonly KnownSale[]> => {
  const rows = await rowsIn(workspace, 'sale')
    .select(KNOWN_COLUMNS)
    .where('key', '>', prefix)
    .where('key', '<', `${prefix}:`)
    .execute();
  // A colon follows the digits in byte order, so keys in this range start with the prefix and a digit.
  return rows.filter(({ key }) => /^\d+$/.test(key.slice(prefix.length)));
};

/** Returns the keys of orders that end as those of further shipments do. */
export const shipmentKeys = async (load: OwnLoading): Promise<readonly string[]> => {
  const rows = await ofChannel(load, 'order').select('key').where('key', 'like', '%-S%').execute();
  return rows.map(({ key }) => key).filter((key) => /-S\d+$/.test(key));
};

/** Returns the keys that end in a day and that no record of this load has. */
export const keysNamedByDay = async (load: Loading): Promise<readonly string[]> => {
  const rows = ofChannel(load)
    .select('key')
    .where('load', '<>', load.number)
    .where('key', 'like', '%-20______%');
  return (await rows.execute()).map(({ key }) => key).filter((key) => /-20\d{6}(?:-\d+)?$/.test(key));
};

/** Returns those of these keys under which the exports have a sale or a record that was set aside. */
export const readAmong = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const sales = await rowsIn(workspace, 'sale').select('key').where('key', 'in', keys).execute();
  const asides = await rowsIn(workspace, 'set_aside').select('key').where('key', 'in', keys).execute();
  return new Set([...sales, ...asides].map(({ key }) => key));
};

/** Returns the keys of all sales, in order. */
export const allKeys = async (workspace: Workspace): Promise<readonly string[]> =>
  (await rowsIn(workspace, 'sale').select('key').orderBy('key').execute()).map(({ key }) => key);

/** Yields the sales of a load with an outcome other than accepted. */
export const doubtfulSales = (load: Loading): AsyncGenerator<readonly SaleRow[]> =>
  byKey(load, seenBy(load).selectAll().where('outcome', '<>', 'accepted'));

/**
 * Yields the sales in files of a channel that are held, or that a person decided to post, whichever load last found them.
 *
 * @param which `posted`: only those that a person decided to post
 */
export const heldSales = (load: OwnLoading, which: 'all' | 'posted'): AsyncGenerator<readonly SaleRow[]> =>
  byKey(
    load,
    rowsIn(load.workspace, 'sale')
      .selectAll()
      .where('outcome', 'in', [...DECIDED_OUTCOMES, ...(which === 'all' ? ['review'] : [])])
      .where('file', 'is not', null),
  );

/**
 * Returns the first and last day with a sale in a file that this load found, and the last day with one that it did not
 * find.
 */
export const seenAndMissing = (load: Loading) =>
  ofChannel(load)
    .where('file', 'is not', null)
    .select(({ fn, eb }) => [
      fn.min(eb.case().when('load', '=', load.number).then(eb.ref('business_date')).end()).as('since'),
      fn.max(eb.case().when('load', '=', load.number).then(eb.ref('business_date')).end()).as('until'),
      fn.max(eb.case().when('load', '<', load.number).then(eb.ref('business_date')).end()).as('missing'),
    ])
    .executeTakeFirstOrThrow();

/** Yields the outcomes of the records in the files of a load that became sales. */
export const saleOutcomes = (load: Loading) =>
  byKey(
    load,
    seenBy(load)
      .select(['key', 'file', 'outcome', 'controls'])
      .where('file', 'is not', null)
      .$narrowType<{ file: number }>(),
    { rows: SHORT_ROWS },
  );

/** Returns the rows of these orders of a channel, by id. */
export const orderRows = async (
  { workspace, channel }: OwnLoading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SaleRow>> => {
  const keys = new Map(ids.map((id) => [saleKey(channel.name, 'order', id), id]));
  const rows = await rowsIn(workspace, 'sale')
    .selectAll()
    .where('key', 'in', [...keys.keys()])
    .execute();
  return new Map(rows.map((row) => [keys.get(row.key) as string, row]));
};
