import type { CalendarDate } from '../../kernel/calendar.ts';
import { type Money, negate, subtract, sum } from '../../kernel/money.ts';
import { amountDue, feesOf, type TaxReturn } from '../filing/return/tax-return.ts';
import { type ReturnKind, returnKey } from '../filing/state-figures.ts';

/** What leads from the tax expected on a return to what it asks for; what is taken off is negative. */
export type Remittance = {
  readonly state: string;
  readonly kind: ReturnKind;
  /** The county, the city or the form of a return of its own. */
  readonly name: string;
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
  /** Whether the state wants a return of so little tax. */
  readonly isRequired: boolean;
  /** When it is to be paid. */
  readonly payBy: CalendarDate;
};

export const remittanceOf = (filed: TaxReturn): Remittance => {
  const { figures, values, useTax } = filed;
  const { state, kind, name, collected } = figures;
  const due = amountDue(filed);
  const steps = {
    gaps: values.missing_rates,
    adjustment: values.adjustment,
    useTax,
    fees: feesOf(filed),
    discount: negate(filed.discount.claimed),
    prepayments: negate(filed.prepayments.used),
    credits: negate(filed.credits.used),
  };
  const unrounded = sum([figures.expected, ...Object.values(steps)]);
  return {
    ...{ state, kind, name, key: returnKey(figures), collected, isRequired: filed.instead === undefined },
    ...{ ...steps, rounding: subtract(due, unrounded), due, payBy: filed.dueDate },
  };
};
