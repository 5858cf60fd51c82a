import { loadFilingLaw } from '../close/filing-law/load-filing-law.ts';
import type { Money } from '../kernel/money.ts';
import { type FilingPeriod, versionBefore } from '../kernel/period.ts';

/** Returns the caps of a state's discounts by the calendar year; none for most states. */
export const yearlyCaps = (state: string): readonly Money[] =>
  loadFilingLaw()
    .discounts.filter((rule) => rule.state === state)
    .flatMap(({ cap }) => cap?.perYear ?? []);

/** Returns the periods of the same length before a period in its calendar year, oldest first. */
export const earlierInYear = (period: FilingPeriod): readonly FilingPeriod[] => {
  const year = period.last.slice(0, 4);
  const earlier: FilingPeriod[] = [];
  for (let at = versionBefore(period); at?.last.startsWith(year); at = versionBefore(at)) earlier.unshift(at);
  return earlier;
};
