import type { DetailRow } from '../judge/detail-row.ts';
import {
  type BeyondDue,
  earlierTaxGivenBack,
  givenBackBeyond,
  orderKeyOf,
  type RefundedOrder,
  type RefundLink,
  type Repayment,
  refundedOrderOf,
  refundLinks,
  repaymentOf,
} from '../judge/refund-link.ts';
import { ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { compareKeys, compareText } from '../kernel/text.ts';
import { batchesOf } from '../runtime/batches.ts';
import type { Sale } from '../sales/sale.ts';
import { type replacements, saleKey } from '../sales/sale-name.ts';
import type { Entry } from './entry.ts';
import type { EarlierOrder } from './frame.ts';

const REFUNDS_AT_ONCE = 10_000;

/** The refunds of a period with their orders, each added in any order. */
export const refundSums = (period: FilingPeriod, replaced: ReturnType<typeof replacements>) => {
  const refunds: Repayment[] = [];
  const orders = new Map<string, RefundedOrder>();
  const beyond: BeyondDue[] = [];
  return {
    /** The tax that refunds and corrections gave back beyond what was due. */
    beyond: beyond as readonly BeyondDue[],
    /** The tax that was given back for sales of earlier periods. */
    earlier: earlierTaxGivenBack(period),
    add: (row: DetailRow, sale: Sale): void => {
      refunds.push(repaymentOf(row, sale));
    },
    addOrder: (sale: Sale): void => {
      orders.set(sale.key, refundedOrderOf(sale));
    },
    /** Adds what a refund or a correction gives back of other periods. */
    addBeyond: (entry: Entry, row: DetailRow): void => {
      const { sale, version } = entry;
      const corrects = version && version.of !== sale.key ? version.of : undefined;
      if (sale.kind !== 'refund' && !corrects) return;
      const tax = givenBackBeyond(row, sale, corrects !== undefined);
      if (tax === ZERO) return;
      const order = row.reference && orderKeyOf({ channel: row.channel, order: row.reference });
      const soldOn = corrects && version?.isReversal ? { soldOn: sale.businessDate } : {};
      beyond.push({
        state: row.state,
        record: corrects ?? sale.key,
        order,
        tax,
        ...soldOn,
      });
    },
    /** Returns the keys of the orders of refunds that are not among the entries of the period, in the order of Detail. */
    missingOrders: (): readonly string[] =>
      [...new Set(refunds.sort(byPlace).map(orderKeyOf))].filter((key) => !orders.has(key)),
    /** The refunds with their orders, in the order of Detail. */
    links: (others: readonly EarlierOrder[]) => {
      const known = new Map(others.map((order) => [order.key, order]));
      const orderOf = (key: string) => {
        const order = orders.get(key);
        return order ? { order } : (known.get(key) ?? { order: undefined });
      };
      const batches = batchesOf(refunds.sort(byPlace), REFUNDS_AT_ONCE);
      const pages: Iterable<readonly RefundLink[]> = refundLinks(batches, orderOf, replaced);
      return { count: refunds.length, pages };
    },
  };
};

/** By day and key, as in Detail. */
const byPlace = (one: Repayment, other: Repayment): number => {
  const keyOf = ({ channel, id }: Repayment): string => saleKey(channel, 'refund', id);
  return compareText(one.refundDate, other.refundDate) || compareKeys(keyOf(one), keyOf(other));
};
