import { isAmendmentLabel } from '../../kernel/amended-version.ts';
import { addDays, type CalendarDate, daysFrom } from '../../kernel/calendar.ts';
import { ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { DraftException } from './exceptions.ts';
import { channelRecord } from './expected-totals.ts';
import type { DayTotals } from './period-totals.ts';

/** Sales on fewer days than these do not show how often a channel sells. */
const DAYS_MIN = 10;
/** A pause at an end of the period is unusual when it is more than so many times as long as any other. */
const TIMES = 2;
const QUIET_DAYS = 3;

/** Sales on fewer days than these say nothing of when the next one is due. */
const DAYS_FEW = 5;

/** The last day of the sales of a channel, where an unusual part of the period follows it. */
export type EarlyEnd = { readonly channel: string; readonly last: CalendarDate };

/**
 * Channels of which no sale is known for longer, up to the end of the period, than they are used to. It is less sure than
 * `exceptionsOfSilence`, and no finding: only a person knows whether the shop was quiet or its export was cut off.
 */
export const earlyEnds = (days: readonly DayTotals[], period: FilingPeriod): readonly EarlyEnd[] => {
  if (isAmendmentLabel(period.label)) return [];
  return soldDays(days, period).flatMap(({ channel, dates, last, pause }) => {
    const isUsual = daysFrom(last, period.last) <= pause + Math.max(QUIET_DAYS, pause);
    return dates.length < DAYS_FEW || isUsual ? [] : [{ channel, last }];
  });
};

/** The days of the period on which each channel sold something, and the longest time from one to the next. */
const soldDays = (days: readonly DayTotals[], period: FilingPeriod) => {
  const sold = days.filter(({ day, orders }) => orders > 0 && isWithin(period, day as CalendarDate));
  return [...Map.groupBy(sold, ({ channel }) => channel)].flatMap(([channel, own]) => {
    const dates = own.map(({ day }) => day as CalendarDate).sort();
    const [first] = dates;
    const last = dates.at(-1);
    if (!first || !last) return [];
    const pauses = dates.slice(1).map((date, index) => daysFrom(dates[index] ?? date, date));
    return [{ channel, dates, first, last, pause: Math.max(0, ...pauses) }];
  });
};

/**
 * Channels whose sales begin late in the period, or end early, for longer than they ever pause within it: an export that is cut
 * off between two records looks like that, and nothing in it shows it.
 */
export const exceptionsOfSilence = (
  days: readonly DayTotals[],
  period: FilingPeriod,
): readonly DraftException[] => {
  if (isAmendmentLabel(period.label)) return [];
  return soldDays(days, period).flatMap(({ channel, dates, first, last, pause }) => {
    if (dates.length < DAYS_MIN) return [];
    const usual = TIMES * Math.max(QUIET_DAYS, pause);
    return [
      ...(daysFrom(period.first, first) > usual ? [[period.first, addDays(first, -1)] as const] : []),
      ...(daysFrom(last, period.last) > usual ? [[addDays(last, 1), period.last] as const] : []),
    ].map(([from, to]) => ({
      severity: 'warning' as const,
      code: 'days-missing',
      origin: { file: '', line: 0, record: channelRecord(channel, period) },
      message: `the exports of "${channel}" hold no sale from ${from} to ${to}, and one at least every ${usual / TIMES} days between; they may be cut off`,
      state: '',
      effect: ZERO,
    }));
  });
};
