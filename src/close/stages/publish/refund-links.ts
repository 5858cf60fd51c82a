import type { FilingPeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import { type RefundedOrder, type RefundLink, refundLink } from '../../reconcile/refund-link.ts';
import type { Sale } from '../../sales/sale.ts';
import type { DetailedSale } from '../../workspace/detailed-sales.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { nameOfKey } from '../../workspace/sale-key.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Each batch reads every page that has one of its orders. */
const REFUNDS_AT_ONCE = 10_000;

/** Collects the orders of refunds as the exports state them, while the sales of a period pass by. */
export type RefundedOrders = {
  readonly see: (sale: DetailedSale) => void;
  readonly of: (refund: Sale) => RefundedOrder | undefined;
};

/** The orders of the refunds of a period's days; those that do not pass by are read when they are asked for. */
export const refundedOrders = async (
  { tables, entity }: Workspace,
  { first, last }: FilingPeriod,
): Promise<RefundedOrders> => {
  const refunds = await tables
    .selectFrom('sale')
    .select(['key', 'reference'])
    .where('entity', '=', entity)
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .where('reference', '<>', '')
    .execute();
  const wanted = new Set(
    refunds.map(({ key, reference }) => orderKeyOf({ channel: nameOfKey(key).channel, reference })),
  );
  const orders = new Map<string, RefundedOrder>();
  return {
    see: ({ sale, filed, late }) => {
      if (filed || late || !wanted.has(sale.key)) return;
      const { businessDate, amount, salesTax } = sale;
      orders.set(sale.key, { businessDate, amount, salesTax });
    },
    of: (refund) => orders.get(orderKeyOf(refund)),
  };
};

/** Each refund with the order it belongs to, whatever period that is of. */
export const refundLinksOf = async (
  workspace: Workspace,
  refunds: readonly DetailedSale[],
  orders: RefundedOrders,
): Promise<readonly RefundLink[]> => {
  const links: RefundLink[] = [];
  for (const batch of batchesOf(refunds, REFUNDS_AT_ONCE)) {
    const unseen = batch.filter(({ sale }) => !orders.of(sale)).map(({ sale }) => orderKeyOf(sale));
    const others = await salesByKey(workspace, unseen);
    links.push(
      ...batch.map(({ row, sale }) => refundLink(row, sale, orders.of(sale) ?? others.get(orderKeyOf(sale)))),
    );
  }
  return links;
};

const orderKeyOf = ({ channel, reference }: Pick<Sale, 'channel' | 'reference'>): string =>
  `${channel}/order/${reference ?? ''}`;
