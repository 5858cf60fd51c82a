import { pagesBy } from '../../database/pages.ts';
import { batchesOf } from '../../runtime/batches.ts';
import { byKey, KEYS_AT_ONCE, NO_LOAD, ofChannel, ofLoad } from './load-sales.ts';
import type { Loading, OwnLoading } from './loads.ts';
import { changeIn, rowsIn } from './queries.ts';
import { idOf, isOf } from './sale-key.ts';
import type { SaleRow } from './tables.ts';
import { BATCH_ROWS } from './workspace.ts';

/** The index of refunds and of the orders that they belong to, while a channel is loaded. */

/** Yields the ids of the orders of which a load found refunds in files. */
export const refundedOrders = (load: Loading) =>
  pagesBy(
    ofLoad(load, 'refund')
      .select('reference')
      .distinct()
      .where('file', 'is not', null)
      .where('reference', '<>', ''),
    ['reference'],
    BATCH_ROWS,
  );

/** Returns the refunds that any load found in files and that name their order, by the id of the order. */
export const refundsInFiles = async (
  load: OwnLoading,
): Promise<ReadonlyMap<string, readonly Pick<SaleRow, 'key'>[]>> => {
  const named = ofChannel(load, 'refund').where('file', 'is not', null).where('reference', '<>', '');
  return Map.groupBy(await named.select(['key', 'reference']).execute(), ({ reference }) => reference);
};

/** Returns the refunds that any load found in files of these orders, in the order in which they were paid. */
export const refundsOfOrders = async (
  load: OwnLoading,
  ids: readonly string[],
): Promise<readonly SaleRow[]> =>
  ofChannel(load, 'refund')
    .selectAll()
    .where('file', 'is not', null)
    .where('reference', 'in', ids)
    .orderBy('instant')
    .orderBy('key')
    .execute();

/** Returns the ids of the orders to which refunds among these sales belong. */
export const ordersOf = async (
  { workspace }: OwnLoading,
  keys: readonly string[],
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  for (const some of batchesOf(keys, KEYS_AT_ONCE)) {
    const rows = rowsIn(workspace, 'sale').select('reference').where('key', 'in', some);
    for (const { reference } of await rows.where('reference', '<>', '').execute()) found.add(reference);
  }
  return found;
};

/** Mark refunds that were derived from orders as found by no load. */
export const unseeDerived = async ({ workspace, channel }: OwnLoading): Promise<void> => {
  await changeIn(workspace, 'sale')
    .set({ load: NO_LOAD })
    .where(isOf(channel.name, 'refund'))
    .where('file', 'is', null)
    .execute();
};

/** Returns the keys of derived refunds that this load did not derive again. */
export const staleDerived = async (load: Loading): Promise<readonly string[]> => {
  const rows = ofChannel(load, 'refund').select('key').where('file', 'is', null);
  return (await rows.where('load', '<>', load.number).execute()).map(({ key }) => key);
};

/** Yields the orders of a channel that were refunded in whole or part. */
export const repaidOrders = (load: OwnLoading): AsyncGenerator<readonly SaleRow[]> =>
  byKey(
    load,
    rowsIn(load.workspace, 'sale')
      .selectAll()
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
    { kind: 'order' },
  );
