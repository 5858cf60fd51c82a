import { pagesBy } from '../../database/pages.ts';
import { batchesOf } from '../../runtime/batches.ts';
import type { Sale } from '../sales/sale.ts';
import type { Loading, OwnLoading } from './loads.ts';
import { changeIn, rowsIn } from './queries.ts';
import { compareKeys, idOf, isOf } from './sale-key.ts';
import type { SaleRow } from './tables.ts';
import { BATCH_ROWS, type Workspace } from './workspace.ts';

/** The index of sales while a channel is loaded: what its files said of which sale, and which load saw it last. */

/** No load has this number. */
export const NO_LOAD = 0;

/** Rows looked at together where they are short. */
const SHORT_ROWS = 5_000;

/** Keys in one question. */
const KEYS_AT_ONCE = 1_000;

const ofChannel = ({ workspace, channel }: OwnLoading, kind?: Sale['kind']) =>
  rowsIn(workspace, 'sale').where(isOf(channel.name, kind));

const ofLoad = (load: Loading, kind?: Sale['kind']) => ofChannel(load, kind).where('load', '=', load.number);

/** A sale as the workspace has it, and where it was seen last. */
export type KnownSale = Pick<SaleRow, (typeof KNOWN_COLUMNS)[number]>;
const KNOWN_COLUMNS = ['key', 'business_date', 'digest', 'load', 'instant', 'controls'] as const;

/** The sales with these keys as the workspace has them, and which load saw them last. */
export const knownSales = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<Map<string, KnownSale>> => {
  if (keys.length === 0) return new Map();
  const known = rowsIn(workspace, 'sale').select(KNOWN_COLUMNS);
  const inOrder = [...keys].sort(compareKeys);
  // Records mostly stand in the order of their numbers: one look at the keys between the first and the last is enough.
  const between = await known
    .where('key', '>=', inOrder[0] ?? '')
    .where('key', '<=', inOrder.at(-1) ?? '')
    .limit(keys.length + 1)
    .execute();
  const rows = between.length <= keys.length ? between : await known.where('key', 'in', keys).execute();
  const wanted = new Set(keys);
  return new Map(rows.filter(({ key }) => wanted.has(key)).map((row) => [row.key, row]));
};

/** The sales whose keys are this beginning and a number. */
export const numberedSales = async (workspace: Workspace, prefix: string): Promise<readonly KnownSale[]> => {
  const rows = await rowsIn(workspace, 'sale')
    .select(KNOWN_COLUMNS)
    .where('key', '>', prefix)
    .where('key', '<', `${prefix}:`)
    .execute();
  // A colon is the character behind the digits: what lies between begins with the mark and a number.
  return rows.filter(({ key }) => /^\d+$/.test(key.slice(prefix.length)));
};

/** Whether any of these sales is known. */
export const isAnyKnown = async (workspace: Workspace, keys: readonly string[]): Promise<boolean> =>
  (await rowsIn(workspace, 'sale').select('key').where('key', 'in', keys).limit(1).executeTakeFirst()) !==
  undefined;

/** The keys of all sales, in their order. */
export const allKeys = async (workspace: Workspace): Promise<readonly string[]> =>
  (await rowsIn(workspace, 'sale').select('key').orderBy('key').execute()).map(({ key }) => key);

/** The sales of a load that were not simply accepted. */
export const doubtfulSales = (load: Loading): AsyncGenerator<readonly SaleRow[]> =>
  pagesBy(ofLoad(load).selectAll().where('outcome', '<>', 'accepted'), ['key'], BATCH_ROWS);

/** Those of these sales that a load has seen. */
export const seenAmong = async (
  { workspace, number }: Loading,
  keys: readonly string[],
): Promise<readonly string[]> => {
  const rows = rowsIn(workspace, 'sale').select('key').where('load', '=', number).where('key', 'in', keys);
  return (await rows.execute()).map(({ key }) => key);
};

/** The first day of which a load has seen a sale that stands in a file, and the last one of which it misses one. */
export const seenAndMissing = (load: Loading) =>
  ofChannel(load)
    .where('file', 'is not', null)
    .select(({ fn, eb }) => [
      fn.min(eb.case().when('load', '=', load.number).then(eb.ref('business_date')).end()).as('since'),
      fn.max(eb.case().when('load', '<', load.number).then(eb.ref('business_date')).end()).as('missing'),
    ])
    .executeTakeFirstOrThrow();

/** What the records of a load became that stand in files and are sales. */
export const saleOutcomes = (load: Loading) =>
  pagesBy(
    ofLoad(load)
      .select(['key', 'file', 'outcome', 'controls'])
      .where('file', 'is not', null)
      .$narrowType<{ file: number }>(),
    ['key'],
    SHORT_ROWS,
  );

/** The rows of these orders of a channel, by their ids. */
export const orderRows = async (
  { workspace, channel }: OwnLoading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SaleRow>> => {
  const keys = new Map(ids.map((id) => [`${channel.name}/order/${id}`, id]));
  const rows = await rowsIn(workspace, 'sale')
    .selectAll()
    .where('key', 'in', [...keys.keys()])
    .execute();
  return new Map(rows.map((row) => [keys.get(row.key) as string, row]));
};

/** The keys of the orders that a load has seen of the days of the tax reports, and that these do not name. */
export async function* unreportedOrders(load: Loading): AsyncGenerator<readonly string[]> {
  const { workspace, channel } = load;
  const days = await rowsIn(workspace, 'tax_report')
    .where('channel', '=', channel.name)
    .select(({ fn }) => [fn.min('day').as('first'), fn.max('day').as('last')])
    .executeTakeFirst();
  if (!days?.first) return;
  const orders = ofLoad(load, 'order')
    .select('key')
    .where('business_date', '>=', days.first)
    .where('business_date', '<=', days.last)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tax_report')
            .select('tax_report.order_id')
            .whereRef('tax_report.entity', '=', 'sale.entity')
            .where('tax_report.channel', '=', channel.name)
            .where('tax_report.order_id', '=', idOf(channel.name, 'order')),
        ),
      ),
    );
  for await (const page of pagesBy(orders, ['key'], BATCH_ROWS)) yield page.map(({ key }) => key);
}

/** The refunds that a load has seen in files and that name their order. */
export const namedRefunds = (load: Loading): AsyncGenerator<readonly SaleRow[]> =>
  pagesBy(
    ofLoad(load, 'refund').selectAll().where('file', 'is not', null).where('reference', '<>', ''),
    ['key'],
    BATCH_ROWS,
  );

/** Where those refunds stand, and the ids of their orders. */
export const placesOfRefunds = (load: Loading) =>
  ofLoad(load, 'refund')
    .select(['reference', 'file', 'line'])
    .where('file', 'is not', null)
    .where('reference', '<>', '')
    .execute();

/** Have no load have seen the refunds that were worked out of orders; of these only where ids are given. */
export const unseeDerived = async (
  { workspace, channel }: OwnLoading,
  ids: readonly string[] | undefined,
): Promise<void> => {
  await changeIn(workspace, 'sale')
    .set({ load: NO_LOAD })
    .where(isOf(channel.name, 'refund'))
    .where('file', 'is', null)
    .$if(ids !== undefined, (query) => query.where('reference', 'in', ids ?? []))
    .execute();
};

/** The keys of the refunds that were worked out before, and not by this load. */
export const staleDerived = async (load: Loading): Promise<readonly string[]> => {
  const rows = ofChannel(load, 'refund').select('key').where('file', 'is', null);
  return (await rows.where('load', '<>', load.number).execute()).map(({ key }) => key);
};

/** The orders of a channel of which something was given back, or these among them. */
export const repaidOrders = (
  load: OwnLoading,
  keys: readonly string[] | undefined,
): AsyncGenerator<readonly SaleRow[]> =>
  pagesBy(
    ofChannel(load, 'order')
      .selectAll()
      .$if(keys !== undefined, (query) => query.where('key', 'in', keys ?? []))
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('refunded', '>', 0),
          exists(
            selectFrom('refund_date')
              .select('refund_date.order_id')
              .whereRef('refund_date.entity', '=', 'sale.entity')
              .where('refund_date.channel', '=', load.channel.name)
              .where('refund_date.order_id', '=', idOf(load.channel.name, 'order')),
          ),
        ]),
      ),
    ['key'],
    BATCH_ROWS,
  );

/** What a load said of a sale, and where. */
type Stated = Pick<SaleRow, 'digest' | 'file' | 'line'>;
const statement = ({ digest, file, line }: Stated): string => `${digest} ${file} ${line}`;
const STATED = ['key', 'digest', 'file', 'line'] as const;
const statements = (rows: readonly Pick<SaleRow, (typeof STATED)[number]>[]) =>
  rows.map((row): [key: string, stated: string] => [row.key, statement(row)]);

/** Lines of a file: from the first up to the end, which is not among them. */
export type Lines = { readonly line: number; readonly end?: number | undefined };

/** What a load said of the sales of some lines of a file, and where, by their keys. */
export const statedOnLines = async (
  load: Loading,
  file: number,
  { line, end = Number.MAX_SAFE_INTEGER }: Lines,
): Promise<readonly [key: string, stated: string][]> =>
  statements(
    await ofLoad(load)
      .select(STATED)
      .where('file', '=', file)
      .where('line', '>=', line)
      .where('line', '<', end)
      .execute(),
  );

/** What a load said of these sales. */
export const statedOf = async (
  { workspace, number }: Loading,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  for (const some of batchesOf(keys, KEYS_AT_ONCE)) {
    const rows = rowsIn(workspace, 'sale').select(STATED).where('load', '=', number).where('key', 'in', some);
    for (const [key, stated] of statements(await rows.execute())) found.set(key, stated);
  }
  return found;
};

/** Have no load have seen these sales. */
export const unseeSales = async (workspace: Workspace, keys: readonly string[]): Promise<void> => {
  for (const some of batchesOf(keys, KEYS_AT_ONCE))
    await changeIn(workspace, 'sale').set({ load: NO_LOAD }).where('key', 'in', some).execute();
};

/** The keys of the sales that a load has seen. */
export const seenKeys = async (load: Loading): Promise<readonly string[]> =>
  (await ofLoad(load).select('key').execute()).map(({ key }) => key);

/** Count the sales that a load has seen as those of another one. */
export const moveSeenSales = async ({ workspace, channel, number }: Loading, to: number): Promise<void> => {
  await changeIn(workspace, 'sale')
    .set({ load: to })
    .where(isOf(channel.name))
    .where('load', '=', number)
    .execute();
};
