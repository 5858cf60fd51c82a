import type { CalendarDate } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import type { Frequency } from '../registration.ts';
import type { DiscountRule } from './discount-rule.ts';
import type { DueDateRule } from './due-date-rule.ts';
import type { FeeRule } from './fee-rule.ts';
import type { HolidayRule } from './holiday-rule.ts';
import { inForce } from './law-row.ts';
import type { NexusRule } from './nexus-rule.ts';
import type { ReturnForm } from './return-form.ts';

/** Everything the rooms of filing know of the states. */
export type FilingLaw = {
  readonly forms: readonly ReturnForm[];
  readonly dueDates: readonly DueDateRule[];
  readonly holidays: readonly HolidayRule[];
  readonly discounts: readonly DiscountRule[];
  readonly nexus: readonly NexusRule[];
  readonly fees: readonly FeeRule[];
};

type StateRow = { readonly state: string; readonly frequencies: readonly Frequency[] };

const rowsFor = <Row extends StateRow>(
  rows: readonly Row[],
  state: string,
  frequency: Frequency,
): readonly Row[] => rows.filter((row) => row.state === state && row.frequencies.includes(frequency));

/** The return that a state wants for a period that ends on this day; the general one where it is not mapped. */
export const formFor = (
  law: FilingLaw,
  state: string,
  frequency: Frequency,
  periodEnd: CalendarDate,
): ReturnForm => {
  const form =
    inForce(rowsFor(law.forms, state, frequency), periodEnd) ??
    inForce(rowsFor(law.forms, '*', frequency), periodEnd);
  if (!form) throw new DefectError(`there is no return for ${state}, not even the general one`);
  return form;
};

export const dueDateRuleFor = (
  law: FilingLaw,
  state: string,
  frequency: Frequency,
  periodEnd: CalendarDate,
): DueDateRule => {
  const rule =
    inForce(rowsFor(law.dueDates, state, frequency), periodEnd) ??
    inForce(rowsFor(law.dueDates, '*', frequency), periodEnd);
  if (!rule) throw new DefectError(`there is no due date for ${state}, not even the general one`);
  return rule;
};

export const discountRuleFor = (
  law: FilingLaw,
  state: string,
  frequency: Frequency,
  dueDate: CalendarDate,
): DiscountRule | undefined => inForce(rowsFor(law.discounts, state, frequency), dueDate);
