import { batchesOf } from '../../../runtime/batches.ts';
import { type RefundLink, refundLink } from '../../reconcile/refund-link.ts';
import type { Sale } from '../../sales/sale.ts';
import type { DetailedSale } from '../../workspace/detailed-sales.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Each batch reads every page that has one of its orders. */
const REFUNDS_AT_ONCE = 10_000;

/** Each refund with the order it belongs to, whatever period that is of. */
export const refundLinksOf = async (
  workspace: Workspace,
  refunds: readonly DetailedSale[],
): Promise<readonly RefundLink[]> => {
  const links: RefundLink[] = [];
  for (const batch of batchesOf(refunds, REFUNDS_AT_ONCE)) {
    const keys = batch.map(({ sale }) => orderKeyOf(sale));
    const orders = await salesByKey(workspace, keys);
    links.push(...batch.map(({ row, sale }) => refundLink(row, sale, orders.get(orderKeyOf(sale)))));
  }
  return links;
};

const orderKeyOf = ({ channel, reference }: Sale): string => `${channel}/order/${reference ?? ''}`;
