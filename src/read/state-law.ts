import { isFeeOn } from '../close/filing/filing-law.ts';
import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import type { FeeTest } from '../close/sales/state-fees.ts';
import type { CalendarDate } from '../kernel/calendar.ts';

/** Whether a line of this name is a fee of the state by the law that comes with Tieout. */
export const isStateFee: FeeTest = (name, state, day) => isFeeOn(loadFilingLaw().fees, name, state, day);

/**
 * Whether marketplaces collect the tax of a state on a day. Where no law is known, as of a state without a sales tax,
 * nothing is left to the seller.
 */
export const facilitates = (state: string, day: CalendarDate): boolean =>
  loadFilingLaw().facilitators.every((rule) => rule.state !== state || (rule.from ?? '') <= day);
