import type { RefundDate } from '../../../sales/refunds.ts';
import type { RefundDateRow } from '../../../workspace/tables.ts';
import type { NumberedLoad } from '../reading/channel-load.ts';

/**
 * Returns a function that makes rows for the repayments of one file. Equal repayments of one instant are numbered
 * within their file.
 */
export const repaymentCounter = (load: NumberedLoad): ((date: RefundDate) => RefundDateRow) => {
  const copies = new Map<string, number>();
  return (date) => {
    const identity = `${date.order} ${date.instant} ${date.amount}`;
    const copy = (copies.get(identity) ?? 0) + 1;
    copies.set(identity, copy);
    return {
      entity: load.workspace.entity,
      channel: load.channel.name,
      order_id: date.order,
      instant: date.instant,
      amount: date.amount,
      copy,
      file: date.origin.file,
      line: date.origin.line,
      load: load.number,
    };
  };
};
