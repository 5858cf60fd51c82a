import type { CalendarDate } from '../kernel/calendar.ts';
import { isFeeOn } from './fee-rule.ts';
import { data } from './filing-law.data.ts';
import type { FilingLaw } from './filing-law.ts';

/** Return the filing law that comes with Tieout, reading it only once. */
export const loadFilingLaw = (): FilingLaw => {
  law ??= data();
  return law;
};

let law: FilingLaw | undefined;

/** Whether a line of this name is a fee of the state by the law that comes with Tieout. */
export const isStateFee = (name: string, state: string, day: CalendarDate): boolean =>
  isFeeOn(loadFilingLaw().fees, name, state, day);

/**
 * Whether marketplaces collect the tax of a state on a day. Where no law is known, as of a state without a sales tax,
 * nothing is left to the seller.
 */
export const facilitates = (state: string, day: CalendarDate): boolean =>
  loadFilingLaw().facilitators.every((rule) => rule.state !== state || (rule.from ?? '') <= day);
