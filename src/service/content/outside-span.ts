import type { CalendarDate } from '../../kernel/calendar.ts';
import type { LocalRate, StateContent } from './tax-content.ts';

/** Return the last day for which some local rates of a state are known to be right; empty if there are none. */
export const knownUntil = (
  { coveredUntil, coverageSeen }: StateContent,
  rows: readonly LocalRate[],
): string => {
  if (rows.length === 0) return '';
  const isCovered = coveredUntil !== '' && rows.some(({ seen }) => seen <= coveredUntil);
  return isCovered ? coveredUntil : ([coverageSeen, ...rows.map(({ seen }) => seen)].sort().at(-1) ?? '');
};

/**
 * Return the limit beyond which a day lies, as in `known until 2026-03-31`; `undefined` if the sources of a state's
 * local rates cover it. Rows of newer tables, such as imported ones, were seen after the last covered day: where all rows
 * are such rows, the day is covered.
 *
 * @param rows the local rates of a place, or of the state, on the day
 */
export const outsideSpan = (
  { coveredSince, coveredUntil }: StateContent,
  rows: readonly LocalRate[],
  date: CalendarDate,
): string | undefined => {
  // Rows of an older table, such as an imported one, were seen before the first covered day.
  const isEarly = date < coveredSince && !(rows.length > 0 && rows.every(({ seen }) => seen < coveredSince));
  if (isEarly) return `known since ${coveredSince}`;
  const isPast = coveredUntil !== '' && coveredUntil < date && rows.some(({ seen }) => seen <= coveredUntil);
  return isPast ? `known until ${coveredUntil}` : undefined;
};
