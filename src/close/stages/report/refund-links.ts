import type { FilingPeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import {
  type FoundOrder,
  type RefundedOrder,
  type RefundLink,
  type Repayment,
  refundLink,
} from '../../reconcile/refund-link.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { refundsOfDays } from '../../workspace/sale-index.ts';
import { nameOfKey } from '../../workspace/sale-key.ts';
import { setAsidesByKey } from '../../workspace/set-asides.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** A large number, because each batch reads every page that contains one of its orders. */
const REFUNDS_AT_ONCE = 10_000;

/** Collects the orders of refunds, as the exports state them, during the pass over the orders of a period. */
export type RefundedOrders = {
  readonly see: (key: string, order: RefundedOrder) => void;
  readonly of: (refund: Repayment) => RefundedOrder | undefined;
};

/** Returns a collector for the orders to which refunds of the period's days belong. */
export const refundedOrders = async (workspace: Workspace, period: FilingPeriod): Promise<RefundedOrders> => {
  const refunds = await refundsOfDays(workspace, period);
  const wanted = new Set(
    refunds.map(({ key, reference: order }) => orderKeyOf({ channel: nameOfKey(key).channel, order })),
  );
  const orders = new Map<string, RefundedOrder>();
  return {
    see: (key, order) => {
      if (wanted.has(key)) orders.set(key, order);
    },
    of: (refund) => orders.get(orderKeyOf(refund)),
  };
};

/**
 * Returns each refund with its order, whatever period the order belongs to. Orders that were not collected are read.
 * Refunds of one order in earlier periods are not added up.
 */
export const refundLinksOf = async (
  workspace: Workspace,
  refunds: readonly Repayment[],
  orders: RefundedOrders,
): Promise<readonly RefundLink[]> => {
  const links: RefundLink[] = [];
  const givenBack = new Map<string, RefundLink>();
  const linkOf = (refund: Repayment, found: FoundOrder): RefundLink => {
    const key = orderKeyOf(refund);
    const link = refundLink(refund, found, givenBack.get(key));
    if (refund.isPosted) givenBack.set(key, link);
    return link;
  };
  for (const batch of batchesOf(refunds, REFUNDS_AT_ONCE)) {
    const unseen = batch.filter((refund) => !orders.of(refund)).map(orderKeyOf);
    const others = await salesByKey(workspace, unseen);
    const noSales = await noSalesAmong(
      workspace,
      unseen.filter((key) => !others.has(key)),
    );
    links.push(
      ...batch.map((refund) => {
        const key = orderKeyOf(refund);
        return linkOf(refund, { order: orders.of(refund) ?? others.get(key), noSale: noSales.get(key) });
      }),
    );
  }
  return links;
};

/** Returns why records that the exports do not count as sales are none, by key. */
const noSalesAmong = async (
  workspace: Workspace,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const asides = keys.length === 0 ? [] : await setAsidesByKey(workspace, keys);
  return new Map(
    asides.flatMap(({ key, outcome, reason }) => (outcome === 'ignored' ? [[key, reason.message]] : [])),
  );
};

const orderKeyOf = ({ channel, order }: Pick<Repayment, 'channel' | 'order'>): string =>
  `${channel}/order/${order}`;
