import type { CalendarDate } from '../kernel/calendar.ts';
import { DefectError } from '../kernel/errors.ts';
import { once } from '../kernel/once.ts';
import { data } from './filing-law.data.ts';
import type { DiscountRule, DueDateRule } from './filing-law.ts';
import { inForce, isFee, isInForce, type LawRow } from './law-row.ts';
import { type Frequency, isSameName } from './registration.ts';
import type { ReturnForm } from './return-form.ts';
import { returnKey, type StateFigures } from './state-figures.ts';

/** Return the filing law that comes with Tieout, reading it only once. */
export const loadFilingLaw = once(data);

/** The return for which a row of law is looked up, and how often it is filed. */
export type Wanted = Pick<StateFigures, 'state' | 'kind' | 'name'> & { readonly frequency: Frequency };

/** Names a state's own return. */
export const ofState = (state: string, frequency: Frequency): Wanted => ({
  state,
  kind: 'state',
  name: '',
  frequency,
});

type StateRow = LawRow & Pick<ReturnForm, 'state' | 'frequencies'>;

/** Returns the row of the state for returns of this frequency; one of the general rows if it has none. */
const rowFor = <Row extends StateRow>(
  rows: readonly Row[],
  { state, frequency }: Wanted,
  on: CalendarDate,
  general = rows,
): Row | undefined => {
  const isFor = (row: Row, name: string): boolean =>
    row.state === name && row.frequencies.includes(frequency);
  const own = rows.filter((row) => isFor(row, state));
  return (
    inForce(own, on) ??
    inForce(
      general.filter((row) => isFor(row, '*')),
      on,
    )
  );
};

/**
 * Finds the form for a period that ends on this day; the general form of its kind if the state's own is not mapped.
 *
 * @param completing the name of the form if the return completes others
 */
export const formFor = (wanted: Wanted, periodEnd: CalendarDate, completing?: string): ReturnForm => {
  const { state, kind, name } = wanted;
  const forms = loadFilingLaw().forms.filter(
    ({ of, form }) => of === kind && (kind !== 'fee' || form === name),
  );
  const own = forms.filter((each) => each.state === state && each.form === completing);
  const form = inForce(own, periodEnd) ?? rowFor(forms, wanted, periodEnd);
  if (!form) throw new DefectError(`there is no return for ${returnKey(wanted)}, not even the general one`);
  return form;
};

/** Finds the due-date rule. A fee is due on the same days as the state's own return. */
export const dueDateRuleFor = (wanted: Wanted, periodEnd: CalendarDate): DueDateRule => {
  const { state, kind, name } = wanted;
  const { dueDates } = loadFilingLaw();
  const own = dueDates.filter(({ place }) =>
    kind === 'place' ? place !== undefined && isSameName(place, name) : place === undefined,
  );
  const rule = rowFor(own, wanted, periodEnd, dueDates);
  if (!rule) throw new DefectError(`there is no due date for ${state}, not even the general one`);
  return rule;
};

export const discountRuleFor = (wanted: Wanted, dueDate: CalendarDate): DiscountRule | undefined =>
  wanted.kind === 'state' ? rowFor(loadFilingLaw().discounts, wanted, dueDate) : undefined;

/** Whether a line of this name is a fee of the state by the law that comes with Tieout. */
export const isStateFee = (name: string, state: string, day: CalendarDate): boolean =>
  loadFilingLaw().fees.some((rule) => rule.state === state && isInForce(rule, day) && isFee(rule, name));

/**
 * Whether marketplaces collect the tax of a state on a day. Where no law is known, as of a state without a sales tax,
 * nothing is left to the seller.
 */
export const facilitates = (state: string, day: CalendarDate): boolean =>
  loadFilingLaw().facilitators.every((rule) => rule.state !== state || (rule.from ?? '') <= day);
