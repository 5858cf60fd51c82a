import { pagesBy } from '../../../../database/pages.ts';
import { type Money, sum, ZERO } from '../../../../kernel/money.ts';
import { batchesOf } from '../../../../runtime/batches.ts';
import { decisionIndexOf } from '../../../configuration/decisions-of.ts';
import { type RefundDate, refundsOf, refundWithoutOrder, type Undivided } from '../../../sales/refunds.ts';
import type { Sale } from '../../../sales/sale.ts';
import { putSales, removeSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { idOf, isOf, nameOfKey } from '../../../workspace/sale-key.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import type { RefundDateRow, SaleRow } from '../../../workspace/tables.ts';
import { BATCH_ROWS, type WorkspaceQueries } from '../../../workspace/workspace.ts';
import { NO_LOAD, type OpenLoad, ownerOf } from '../reading/channel-load.ts';

/**
 * Work out the refunds of every order of the channel that something was given back of, from the order as it is known
 * now and from all repayments that were ever seen. Refunds that do not follow any more are taken away; a repayment
 * whose order is unknown stands as a refund without its order, and none is ever lost because its order is not in the
 * files of this load.
 *
 * @param silent files whose orders do not say what was given back of them
 * @param keys the orders to work them out of; all of the channel when absent
 */
export const deriveRefunds = async (
  load: OpenLoad,
  silent: ReadonlySet<string>,
  keys?: readonly string[],
): Promise<void> => {
  const { workspace, channel } = load;
  const ids = keys?.map((key) => nameOfKey(key).id);
  await workspace.tables
    .updateTable('sale')
    .set({ load: NO_LOAD })
    .where('entity', '=', workspace.entity)
    .where(isOf(channel.name, 'refund'))
    .where('file', 'is', null)
    .$if(ids !== undefined, (query) => query.where('reference', 'in', ids ?? []))
    .execute();
  const pages = pagesBy(
    workspace.tables
      .selectFrom('sale')
      .selectAll()
      .where('entity', '=', workspace.entity)
      .where(isOf(channel.name, 'order'))
      .$if(keys !== undefined, (query) => query.where('key', 'in', keys ?? []))
      .where(({ or, eb, exists, selectFrom }) =>
        or([
          eb('refunded', '>', 0),
          exists(
            selectFrom('refund_date')
              .select('refund_date.order_id')
              .whereRef('refund_date.entity', '=', 'sale.entity')
              .where('refund_date.channel', '=', channel.name)
              .where('refund_date.order_id', '=', idOf(channel.name, 'order')),
          ),
        ]),
      ),
    ['key'],
    BATCH_ROWS,
  );
  for await (const page of pages) {
    await workspace.together(async (tables) => {
      const dates = await repaymentsOf(
        load,
        page.map(({ key }) => nameOfKey(key).id),
        tables,
      );
      const orders = await salesByKey(
        workspace,
        page.map(({ key }) => key),
        tables,
      );
      const refunds = page.flatMap((row) =>
        refundsOfRow(
          load,
          silent,
          { row, order: orders.get(row.key) as Sale },
          dates.get(nameOfKey(row.key).id) ?? [],
        ),
      );
      await putSales(workspace, refunds, tables);
    });
  }
  const strays = await repaymentsWithoutOrder(load, ids);
  await workspace.together(async (tables) => {
    await putSales(workspace, strays, tables);
    const rows = await tables
      .selectFrom('sale')
      .select('key')
      .where('entity', '=', workspace.entity)
      .where(isOf(channel.name, 'refund'))
      .where('file', 'is', null)
      .where('load', '<>', load.number)
      .execute();
    const gone = rows.map(({ key }) => key);
    for (const keys of batchesOf(gone, BATCH_ROWS)) await removeSales(workspace, keys, tables);
  });
};

const derived = (load: OpenLoad, refund: Sale): SaleWithText =>
  saleRow(ownerOf(load), refund, { refunded: ZERO, file: null, controls: '' });

/**
 * An order that this load has not seen may be older than its repayments, and one of a silent file says nothing of them:
 * then the repayments say what was refunded.
 */
const refundsOfRow = (
  load: OpenLoad,
  silent: ReadonlySet<string>,
  { row, order }: { readonly row: SaleRow; readonly order: Sale },
  seen: readonly Repayment[],
): readonly SaleWithText[] => {
  const told = row.refunded as Money;
  const datesDecide = row.load !== load.number || silent.has(order.origin.file);
  const dates = datesDecide ? seen : standing(seen, told, load);
  const paidBack = totalOf(dates);
  const refunded = datesDecide && paidBack > told ? paidBack : told;
  return refundsOf({ order, refunded }, dates, load.calendar, undividedIn(load)).map((refund) =>
    derived(load, refund),
  );
};

/** A part that no one divided is divided where the policy says so of all, or a person of this one. */
const undividedIn = ({ configuration }: OpenLoad): ((refund: string) => Undivided) => {
  const { policy } = configuration;
  const decisions = decisionIndexOf(configuration);
  return (refund) => {
    const found = decisions.ofRecord([refund], ['refund-not-split']);
    return found.some(({ verdict }) => verdict === 'split') ? 'prorate' : policy.undividedRefunds;
  };
};

/**
 * The repayments that hold. A file may bring what is new, or say again what an earlier one said wrongly: the order tells
 * which, because what was given back of it in all is then what the files of this load say alone.
 */
const standing = (all: readonly Repayment[], told: Money, { number }: OpenLoad): readonly Repayment[] => {
  const newest = all.filter((one) => one.load === number);
  const isCorrected = newest.length > 0 && totalOf(all) !== told && totalOf(newest) === told;
  return isCorrected ? newest : all;
};

const totalOf = (repayments: readonly Repayment[]): Money => sum(repayments.map(({ amount }) => amount));

const repaymentsOf = async (
  { workspace, channel }: OpenLoad,
  ids: readonly string[],
  tables: WorkspaceQueries,
): Promise<ReadonlyMap<string, readonly Repayment[]>> => {
  const rows = await tables
    .selectFrom('refund_date')
    .selectAll()
    .where('entity', '=', workspace.entity)
    .where('channel', '=', channel.name)
    .where('order_id', 'in', ids)
    .orderBy('instant')
    .orderBy('amount')
    .orderBy('copy')
    .execute();
  const found = new Map<string, Repayment[]>();
  for (const row of rows) found.set(row.order_id, [...(found.get(row.order_id) ?? []), repayment(row)]);
  return found;
};

/** With the load that saw it last. */
type Repayment = RefundDate & { readonly load: number };

const repayment = (row: RefundDateRow): Repayment => ({
  load: row.load,
  order: row.order_id,
  instant: row.instant as RefundDate['instant'],
  amount: row.amount as RefundDate['amount'],
  origin: { file: row.file, line: row.line, record: row.order_id },
});

const repaymentsWithoutOrder = async (
  load: OpenLoad,
  ids: readonly string[] | undefined,
): Promise<readonly SaleWithText[]> => {
  const { workspace, channel, calendar } = load;
  const rows = await workspace.tables
    .selectFrom('refund_date')
    .selectAll()
    .where('entity', '=', workspace.entity)
    .where('channel', '=', channel.name)
    .$if(ids !== undefined, (query) => query.where('order_id', 'in', ids ?? []))
    .where(({ not, exists, selectFrom, eb, val, ref }) =>
      not(
        exists(
          selectFrom('sale')
            .select('sale.key')
            .whereRef('sale.entity', '=', 'refund_date.entity')
            // By its key, or every repayment would look through all orders of the channel.
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
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const count = (counts.get(row.order_id) ?? 0) + 1;
    counts.set(row.order_id, count);
    return derived(load, refundWithoutOrder(channel.name, repayment(row), count, calendar));
  });
};
