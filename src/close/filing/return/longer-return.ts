import { type DueDate, dueDateOf } from '../calendar/due-date-of.ts';
import { filingPeriodOf } from '../calendar/filing-period-of.ts';
import { dueDateRuleFor, type FilingLaw, formFor } from '../law/filing-law.ts';
import type { ReturnForm } from '../law/return-form.ts';
import type { Frequency } from '../registration.ts';
import type { StateFigures } from '../state-figures.ts';

/** The return of a longer period that takes the tax of a period without a return of its own. */
export type LongerReturn = {
  readonly form: string;
  readonly frequency: Frequency;
  readonly dueDate: DueDate;
};

/** That of the quarter for a month without a return, with the day on which the state wants it. */
export const longerReturn = (
  law: FilingLaw,
  figures: StateFigures,
  { otherwise }: NonNullable<ReturnForm['required']>,
): LongerReturn => {
  const { last } = figures.period;
  const { firstMonth } = dueDateRuleFor(law, figures, otherwise, last);
  const period = filingPeriodOf(last, otherwise, firstMonth);
  return {
    frequency: otherwise,
    form: formFor(law, figures, otherwise, period.last).form,
    dueDate: dueDateOf(law, figures, otherwise, period),
  };
};
