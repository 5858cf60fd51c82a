import type { RefundDate } from '../close/sales/refunds.ts';

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
