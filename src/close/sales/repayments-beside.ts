import { type Money, sum, ZERO } from '../../kernel/money.ts';
import type { Sale } from './sale.ts';
import { stateFeesOf } from './state-fees.ts';

/**
 * Returns the repayments of an order that its refunds with rows of their own do not tell already: each refund stands for
 * one repayment of its amount, and all of them for several that come to the same.
 *
 * @returns also what refunds give back for which no repayment was found
 */
export const repaymentsBeside = <Repayment extends { readonly amount: Money }>(
  repayments: readonly Repayment[],
  refunds: readonly Sale[],
): { readonly repayments: readonly Repayment[]; readonly unpaid: Money } => {
  const unpaid = refunds.map((refund) =>
    sum([refund.amount, refund.salesTax, refund.marketplaceTax, stateFeesOf(refund)]),
  );
  const left = repayments.filter(({ amount }) => {
    const position = unpaid.indexOf(amount);
    if (position !== -1) unpaid.splice(position, 1);
    return position === -1;
  });
  const isSame = sum(unpaid) === sum(left.map(({ amount }) => amount));
  return isSame || left.length === 0
    ? { repayments: [], unpaid: ZERO }
    : { repayments: left, unpaid: sum(unpaid) };
};
