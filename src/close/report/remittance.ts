import type { CalendarDate } from '../../kernel/calendar.ts';
import { type Money, negate, subtract, sum } from '../../kernel/money.ts';
import { amountDue, feesOf, type TaxReturn } from '../filing/return/tax-return.ts';
import { returnKey } from '../filing/state-figures.ts';

/** What leads from the tax expected on a return to what it asks for; what is taken off is negative. */
export type Remittance = {
  readonly state: string;
  /** As the workbooks name the return: the state, with the place or form where it has several. */
  readonly key: string;
  readonly collected: Money;
  /** Tax collected under rates that the tax content lacks. */
  readonly gaps: Money;
  /** What the remittance basis adds to the tax expected, or takes off it. */
  readonly adjustment: Money;
  readonly useTax: Money;
  /** Fees for delivered sales, beside the tax. */
  readonly fees: Money;
  /** All that the form's rounding makes of it, that of the payments included. */
  readonly rounding: Money;
  readonly discount: Money;
  readonly prepayments: Money;
  readonly credits: Money;
  readonly due: Money;
  /** When it is to be paid. */
  readonly payBy: CalendarDate;
};

export const remittanceOf = (filed: TaxReturn): Remittance => {
  const { figures, values, useTax } = filed;
  const due = amountDue(filed);
  const steps = {
    gaps: values.gaps,
    adjustment: values.adjustment,
    useTax,
    fees: feesOf(filed),
    discount: negate(filed.discount.claimed),
    prepayments: negate(filed.prepayments.used),
    credits: negate(filed.credits.used),
  };
  const unrounded = sum([figures.expected, ...Object.values(steps)]);
  return {
    ...{ state: figures.state, key: returnKey(figures), collected: figures.collected },
    ...{ ...steps, rounding: subtract(due, unrounded), due, payBy: filed.dueDate },
  };
};
