import type { ReadGroup } from '../close/sales/read-export.ts';
import type { ReadOrder } from '../close/sales/read-sale.ts';
import { serviceId } from '../close/sales/record-id.ts';
import { saleKey } from '../close/sales/sale-name.ts';
import type { ChannelLoad } from './channel-load.ts';
import { saleOfRecord } from './record-parts.ts';
import { type CountedRepayment, repaymentCounter } from './repayment-rows.ts';

export const keyOf = ({ channel }: Pick<ChannelLoad, 'channel'>, { group, record }: ReadGroup): string => {
  const sale = saleOfRecord(record);
  if (sale) return sale.key;
  const refundId = 'outcome' in record ? record.refundId : undefined;
  return refundId === undefined
    ? saleKey(channel.name, 'order', serviceId(group.name))
    : saleKey(channel.name, 'refund', refundId);
};

const NO_REPAYMENTS: readonly CountedRepayment[] = [];

/** Returns the repayments that the rows of an order tell. */
export const repaymentsOf = ({ order, repayments }: ReadOrder): readonly CountedRepayment[] => {
  if (!repayments) return NO_REPAYMENTS;
  const counted = repaymentCounter();
  return repayments.map((repayment) => counted({ ...repayment, order: order.id, origin: order.origin }));
};
