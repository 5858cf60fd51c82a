import type { RefundDate } from '../../../sales/refunds.ts';
import type { RefundDateRow } from '../../../workspace/tables.ts';
import type { NumberedLoad } from '../reading/channel-load.ts';

/** A repayment; equal ones of one instant are numbered within their file. */
export type CountedRepayment = RefundDate & { readonly copy: number };

/** Returns a function that numbers the repayments of one file. */
export const repaymentCounter = (): ((date: RefundDate) => CountedRepayment) => {
  const copies = new Map<string, number>();
  return (date) => {
    const identity = `${date.order} ${date.instant} ${date.amount}`;
    const copy = (copies.get(identity) ?? 0) + 1;
    copies.set(identity, copy);
    return { ...date, copy };
  };
};

/** Returns a function that makes rows of the repayments that a load reads. */
export const repaymentRows =
  (load: NumberedLoad) =>
  ({ order, instant, amount, copy, origin }: CountedRepayment): RefundDateRow => ({
    entity: load.workspace.entity,
    channel: load.channel.name,
    order_id: order,
    ...{ instant, amount, copy, file: origin.file, line: origin.line, load: load.number },
  });
