import type { Configuration } from '../close/configuration/schema.ts';
import { longerReturn, shorterPeriods } from '../close/filing/return/longer-return.ts';
import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { earlierInYear, yearlyCaps } from './claimed-discounts.ts';
import { ofState } from './shorter-returns.ts';

type Registration = Configuration['registrations'][number];

export const notKnown = (periods: readonly FilingPeriod[]): Readonly<Record<string, null>> =>
  Object.fromEntries(periods.map(({ label }) => [label, null]));

/** Returns the earlier periods of the year that may have claimed a part of a yearly cap; `undefined` without such a cap. */
export const discountPeriods = ({ state, since }: Registration, period: FilingPeriod) =>
  yearlyCaps(state).length === 0
    ? undefined
    : notKnown(earlierInYear(period).filter(({ last }) => since <= last));

/**
 * Returns the periods that may leave accounts to the one after them: those of the returns that end with the period
 * before, the longest first, or that period itself.
 *
 * @param registration as it counts for the period before
 */
export const leavers = (
  { state, frequency }: Registration,
  { label, last }: FilingPeriod,
): readonly string[] => {
  const law = loadFilingLaw();
  const longer = longerReturn(law, ofState(state), frequency, last)?.dueDate.period;
  const own = shorterPeriods(law, ofState(state), frequency, { first: last, last });
  const ended = [...(longer ? [longer] : []), ...own].filter((each) => each.last === last);
  return [...new Set([...ended.map((each) => each.label), label])];
};
