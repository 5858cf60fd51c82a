import { type Money, sum, ZERO } from '../../../../kernel/money.ts';
import { batchesOf } from '../../../../runtime/batches.ts';
import { decisionIndexOf } from '../../../configuration/decisions-of.ts';
import { refundsOf, refundWithoutOrder, type Undivided } from '../../../sales/refunds.ts';
import type { Sale } from '../../../sales/sale.ts';
import { repaidOrders, staleDerived, unseeDerived } from '../../../workspace/load-sales.ts';
import { putSales, removeSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { type Repayment, repaymentsOf, repaymentsWithoutOrder } from '../../../workspace/repayments.ts';
import { nameOfKey } from '../../../workspace/sale-key.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import type { SaleRow } from '../../../workspace/tables.ts';
import { BATCH_ROWS } from '../../../workspace/workspace.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';

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
  const { workspace } = load;
  const ids = keys?.map((key) => nameOfKey(key).id);
  await unseeDerived(load, ids);
  for await (const page of repaidOrders(load, keys)) {
    await workspace.together(async (within) => {
      const dates = await repaymentsOf(
        { ...load, workspace: within },
        page.map(({ key }) => nameOfKey(key).id),
      );
      const orders = await salesByKey(
        within,
        page.map(({ key }) => key),
      );
      const refunds = page.flatMap((row) =>
        refundsOfRow(
          load,
          silent,
          { row, order: orders.get(row.key) as Sale },
          dates.get(nameOfKey(row.key).id) ?? [],
        ),
      );
      await putSales(within, refunds);
    });
  }
  const strays = refundsWithoutOrder(load, await repaymentsWithoutOrder(load, ids));
  await workspace.together(async (within) => {
    await putSales(within, strays);
    const gone = await staleDerived({ ...load, workspace: within });
    for (const some of batchesOf(gone, BATCH_ROWS)) await removeSales(within, some);
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

const refundsWithoutOrder = (load: OpenLoad, repayments: readonly Repayment[]): readonly SaleWithText[] => {
  const counts = new Map<string, number>();
  return repayments.map((repayment) => {
    const count = (counts.get(repayment.order) ?? 0) + 1;
    counts.set(repayment.order, count);
    return derived(load, refundWithoutOrder(load.channel.name, repayment, count, load.calendar));
  });
};
