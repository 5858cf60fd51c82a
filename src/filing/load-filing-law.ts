import type { CalendarDate } from '../kernel/calendar.ts';
import { data } from './filing-law.data.ts';
import type { FilingLaw } from './filing-law.ts';
import { isFee, isInForce } from './law-row.ts';

/** Return the filing law that comes with Tieout, reading it only once. */
export const loadFilingLaw = (): FilingLaw => {
  law ??= data();
  return law;
};

let law: FilingLaw | undefined;

/** Whether a line of this name is a fee of the state by the law that comes with Tieout. */
export const isStateFee = (name: string, state: string, day: CalendarDate): boolean =>
  loadFilingLaw().fees.some((rule) => rule.state === state && isInForce(rule, day) && isFee(rule, name));

/**
 * Whether marketplaces collect the tax of a state on a day. Where no law is known, as of a state without a sales tax,
 * nothing is left to the seller.
 */
export const facilitates = (state: string, day: CalendarDate): boolean =>
  loadFilingLaw().facilitators.every((rule) => rule.state !== state || (rule.from ?? '') <= day);
