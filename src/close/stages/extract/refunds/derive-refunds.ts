import { add, type Money, sum, ZERO } from '../../../../kernel/money.ts';
import { batchesOf } from '../../../../runtime/batches.ts';
import { decisionIndexOf } from '../../../configuration/decisions-of.ts';
import { refundsOf, refundWithoutOrder } from '../../../sales/refunds.ts';
import { repaymentsBeside } from '../../../sales/repayments-beside.ts';
import type { Sale } from '../../../sales/sale.ts';
import { nameInChannel, nameOfKey } from '../../../sales/sale-name.ts';
import { refundsInFiles, repaidOrders, staleDerived, unseeDerived } from '../../../workspace/load-refunds.ts';
import { putSales, removeSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { type Repayment, repaymentsOf, repaymentsWithoutOrder } from '../../../workspace/repayments.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import type { SaleRow } from '../../../workspace/tables.ts';
import { BATCH_ROWS } from '../../../workspace/workspace.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';

/**
 * Derive the refunds of every refunded order of the channel from the order as it is now and from all repayments ever
 * found. Derived refunds that no longer follow are removed. A repayment whose order is unknown becomes a refund without
 * an order, and none is lost because its order is not in the files of this load. What a refund with rows of its own
 * tells already is not derived again.
 *
 * @param silent files whose orders do not state what was refunded
 */
export const deriveRefunds = async (load: OpenLoad, silent: ReadonlySet<string>): Promise<void> => {
  const { workspace } = load;
  const told = await refundsInFiles(load);
  const keysOf = (orders: readonly string[]): readonly string[] =>
    orders.flatMap((id) => told.get(id)?.map(({ key }) => key) ?? []);
  await unseeDerived(load);
  for await (const page of repaidOrders(load)) {
    await workspace.together(async (within) => {
      const dates = await repaymentsOf(
        { ...load, workspace: within },
        page.map(({ key }) => nameOfKey(key).id),
      );
      const sales = await salesByKey(within, [...page.map(({ key }) => key), ...keysOf([...dates.keys()])]);
      const refunds = page.flatMap((row) => {
        const { id } = nameOfKey(row.key);
        const own = keysOf([id]).flatMap((key) => sales.get(key) ?? []);
        const seen = repaymentsBeside(dates.get(id) ?? [], own);
        return refundsOfRow(load, silent, { row, order: sales.get(row.key) as Sale }, seen);
      });
      await putSales(within, refunds);
    });
  }
  const ofNone = Map.groupBy(await repaymentsWithoutOrder(load), ({ order }) => order);
  await workspace.together(async (within) => {
    const own = await salesByKey(within, keysOf([...ofNone.keys()]));
    const strays = [...ofNone].flatMap(([id, repayments]) => {
      const refunds = keysOf([id]).flatMap((key) => own.get(key) ?? []);
      return repaymentsBeside(repayments, refunds).repayments;
    });
    await putSales(within, refundsWithoutOrder(load, strays));
    const gone = await staleDerived({ ...load, workspace: within });
    for (const some of batchesOf(gone, BATCH_ROWS)) await removeSales(within, some);
  });
};

const derived = (load: OpenLoad, refund: Sale): SaleWithText =>
  saleRow(ownerOf(load), refund, { refunded: ZERO, file: null, controls: '' });

/**
 * Derives the refunds of an order. An order that this load has not found may be older than its repayments, and one of a
 * silent file does not state refunds at all. In both cases the repayments decide what was refunded, unless refunds with
 * rows of their own say otherwise.
 */
const refundsOfRow = (
  load: OpenLoad,
  silent: ReadonlySet<string>,
  { row, order }: { readonly row: SaleRow; readonly order: Sale },
  seen: ReturnType<typeof repaymentsBeside<Repayment>>,
): readonly SaleWithText[] => {
  const told = add(row.refunded as Money, seen.unpaid);
  const datesDecide = row.load !== load.number || silent.has(order.origin.file);
  const dates = datesDecide ? seen.repayments : standing(seen.repayments, told, load);
  const paidBack = totalOf(dates);
  const refunded = datesDecide && seen.unpaid === ZERO && paidBack > told ? paidBack : told;
  return refundsOf({ order, refunded }, dates, load.calendar, undividedIn(load)).map((refund) =>
    derived(load, refund),
  );
};

/**
 * Returns how a refund that is not split is treated: as the policy says, or prorated if a person decided so for this
 * one.
 */
export const undividedIn = ({
  configuration,
}: Pick<OpenLoad, 'configuration'>): Parameters<typeof refundsOf>[3] => {
  const { policy } = configuration;
  const decisions = decisionIndexOf(configuration);
  return ({ channel, id, businessDate }) => {
    const found = decisions.ofRecord([id, nameInChannel(channel, id)], ['refund-not-split'], businessDate);
    return found.some(({ verdict }) => verdict === 'split') ? 'prorate' : policy.undividedRefunds;
  };
};

/**
 * Returns the repayments that apply. A file may add repayments, or repeat corrected ones of an earlier file. The order
 * shows which: if its refunded total matches the repayments of this load alone, these replace the earlier ones.
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
