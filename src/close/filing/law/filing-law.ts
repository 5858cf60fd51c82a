import type { CalendarDate } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { type Frequency, isSameName } from '../registration.ts';
import { returnKey, type StateFigures } from '../state-figures.ts';
import type { CollectorRule } from './collector-rule.ts';
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
  readonly collectors: readonly CollectorRule[];
};

type StateRow = { readonly state: string; readonly frequencies: readonly Frequency[] };

/** The return that a row of law is wanted for. */
export type Wanted = Pick<StateFigures, 'state' | 'kind' | 'name'>;

const rowsFor = <Row extends StateRow>(
  rows: readonly Row[],
  state: string,
  frequency: Frequency,
): readonly Row[] => rows.filter((row) => row.state === state && row.frequencies.includes(frequency));

/** The return that is wanted for a period that ends on this day; the general one of its kind where it is not mapped. */
export const formFor = (
  law: FilingLaw,
  wanted: Wanted,
  frequency: Frequency,
  periodEnd: CalendarDate,
): ReturnForm => {
  const forms = law.forms.filter(
    (form) => form.of === wanted.kind && (wanted.kind !== 'fee' || form.form === wanted.name),
  );
  const form =
    inForce(rowsFor(forms, wanted.state, frequency), periodEnd) ??
    inForce(rowsFor(forms, '*', frequency), periodEnd);
  if (!form) throw new DefectError(`there is no return for ${returnKey(wanted)}, not even the general one`);
  return form;
};

/** A fee is due on the days of the state's own return. */
export const dueDateRuleFor = (
  law: FilingLaw,
  { state, kind, name }: Wanted,
  frequency: Frequency,
  periodEnd: CalendarDate,
): DueDateRule => {
  const own = law.dueDates.filter(({ place }) =>
    kind === 'place' ? place !== undefined && isSameName(place, name) : place === undefined,
  );
  const rule =
    inForce(rowsFor(own, state, frequency), periodEnd) ??
    inForce(rowsFor(law.dueDates, '*', frequency), periodEnd);
  if (!rule) throw new DefectError(`there is no due date for ${state}, not even the general one`);
  return rule;
};

export const discountRuleFor = (
  law: FilingLaw,
  { state, kind }: Wanted,
  frequency: Frequency,
  dueDate: CalendarDate,
): DiscountRule | undefined =>
  kind === 'state' ? inForce(rowsFor(law.discounts, state, frequency), dueDate) : undefined;
