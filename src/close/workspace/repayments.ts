import type { RefundDate } from '../sales/refunds.ts';
import type { Loading, OwnLoading } from './loads.ts';
import { deleteIn, put, rowsIn } from './queries.ts';
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

/**
 * Give the repayments of a number, which several orders have, to the orders that `orderAt` names by their moments. Those
 * that the rows of orders tell are deleted: they are stored with their orders.
 */
export const assignRepayments = async (
  load: OwnLoading & { readonly sources: readonly { readonly name: string }[] },
  id: string,
  orderAt: (at: RefundDate['instant']) => string,
): Promise<void> => {
  const { workspace, channel, sources } = load;
  const rows = await ofChannel(load).selectAll().where('order_id', '=', id).execute();
  await deleteIn(workspace, 'refund_date')
    .where('channel', '=', channel.name)
    .where('order_id', '=', id)
    .execute();
  const own = new Set(sources.map(({ name }) => name));
  const others = rows.filter(({ file }) => !own.has(file));
  await keepRepayments(
    workspace,
    others.map((row) => ({ ...row, order_id: orderAt(row.instant as RefundDate['instant']) })),
  );
};

/** Returns the repayments of these orders, by order id. */
export const repaymentsOf = async (
  load: OwnLoading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Repayment[]>> =>
  Map.groupBy(
    (await ofChannel(load).selectAll().where('order_id', 'in', ids).execute()).map(repayment),
    ({ order }) => order,
  );

/** Returns the repayments whose orders are unknown, by order id. */
export const repaymentsWithoutOrder = async ({
  workspace,
  channel,
}: OwnLoading): Promise<readonly Repayment[]> => {
  const rows = await rowsIn(workspace, 'refund_date')
    .selectAll()
    .where('channel', '=', channel.name)
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
