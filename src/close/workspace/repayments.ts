import type { RefundDate } from '../sales/refunds.ts';
import type { Loading, OwnLoading } from './loads.ts';
import { changeIn, deleteIn, put, rowsIn } from './queries.ts';
import type { RefundDateRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** A repayment, with the load that last found it. */
export type Repayment = RefundDate & { readonly load: number };

const repayment = (row: RefundDateRow): Repayment => ({
  load: row.load,
  order: row.order_id,
  instant: row.instant as RefundDate['instant'],
  amount: row.amount as RefundDate['amount'],
  origin: { file: row.file, line: row.line, record: row.order_id },
});

const ofChannel = ({ workspace, channel }: OwnLoading) =>
  rowsIn(workspace, 'refund_date')
    .where('channel', '=', channel.name)
    .orderBy('instant')
    .orderBy('amount')
    .orderBy('copy');

/** Store repayments, each replacing the one with the same order, instant, amount and copy. */
export const keepRepayments = (workspace: Workspace, rows: readonly RefundDateRow[]): Promise<void> =>
  put(workspace, 'refund_date', rows);

/** Returns the repayments of these orders, by order id. */
export const repaymentsOf = async (
  load: OwnLoading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Repayment[]>> =>
  Map.groupBy(
    (await ofChannel(load).selectAll().where('order_id', 'in', ids).execute()).map(repayment),
    ({ order }) => order,
  );

/** Returns the repayments whose orders are unknown, by order id; with `ids`, only those of these orders. */
export const repaymentsWithoutOrder = async (
  { workspace, channel }: OwnLoading,
  ids: readonly string[] | undefined,
): Promise<readonly Repayment[]> => {
  const rows = await rowsIn(workspace, 'refund_date')
    .selectAll()
    .where('channel', '=', channel.name)
    .$if(ids !== undefined, (query) => query.where('order_id', 'in', ids ?? []))
    .where(({ not, exists, selectFrom, eb, val, ref }) =>
      not(
        exists(
          selectFrom('sale')
            .select('sale.key')
            .whereRef('sale.entity', '=', 'refund_date.entity')
            // Compares the key, because otherwise every repayment would scan all orders of the channel.
            .where(
              'sale.key',
              '=',
              eb('refund_date.channel', '||', eb(val('/order/'), '||', ref('refund_date.order_id'))),
            ),
        ),
      ),
    )
    .orderBy('order_id')
    .orderBy('instant')
    .orderBy('amount')
    .orderBy('copy')
    .execute();
  return rows.map(repayment);
};

/** Returns the repayments that a load found, as one text per order, by order id. */
export const repaymentTexts = async (load: Loading): Promise<ReadonlyMap<string, string>> => {
  const rows = await ofChannel(load)
    .select(['order_id', 'instant', 'amount', 'copy', 'file', 'line'])
    .where('load', '=', load.number)
    .execute();
  const found = new Map<string, string>();
  for (const row of rows) found.set(row.order_id, `${found.get(row.order_id) ?? ''}${JSON.stringify(row)}`);
  return found;
};

/** Assign the repayments that a load found to another load. */
export const moveRepayments = async ({ workspace, channel, number }: Loading, to: number): Promise<void> => {
  await changeIn(workspace, 'refund_date')
    .set({ load: to })
    .where('channel', '=', channel.name)
    .where('load', '=', number)
    .execute();
};

/**
 * Delete surplus copies: the newest load that has any of several equal repayments of one instant decides how many there
 * are.
 */
export const forgetCopies = async ({ workspace, channel, number }: Loading): Promise<void> => {
  await deleteIn(workspace, 'refund_date')
    .where('channel', '=', channel.name)
    .where('load', '<>', number)
    .where('copy', '>', 1)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('refund_date as newest')
          .select('newest.copy')
          .whereRef('newest.entity', '=', 'refund_date.entity')
          .whereRef('newest.channel', '=', 'refund_date.channel')
          .whereRef('newest.order_id', '=', 'refund_date.order_id')
          .whereRef('newest.instant', '=', 'refund_date.instant')
          .whereRef('newest.amount', '=', 'refund_date.amount')
          .where('newest.load', '=', number),
      ),
    )
    .execute();
};
