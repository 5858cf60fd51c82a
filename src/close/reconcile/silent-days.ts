import { isAmendmentLabel } from '../../kernel/amended-version.ts';
import { addDays, type CalendarDate, daysFrom } from '../../kernel/calendar.ts';
import { ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { DraftException } from './exceptions.ts';
import { channelRecord } from './expected-totals.ts';
import type { DayTotals } from './period-totals.ts';

/** Minimum number of days with sales that shows how often a channel sells. */
const DAYS_MIN = 10;
/** A pause at the start or end of the period is unusual if it is more than this many times the longest other pause. */
const TIMES = 2;
const QUIET_DAYS = 3;

/** Minimum number of days with sales that allows an estimate of the next sale. */
const DAYS_FEW = 5;

/** The totals by day of a period. */
type DaysOfPeriod = { readonly days: readonly DayTotals[]; readonly period: FilingPeriod };

/**
 * Lists channels without sales for an unusually long time up to the end of the period: a file that is cut off between two
 * records shows no other sign of it. It is less certain than `exceptionsOfSilence`, and not a finding: only a person
 * knows whether the shop was quiet or its export was cut off.
 */
export const earlyEndLines = ({ days, period }: DaysOfPeriod): readonly string[] => {
  if (isAmendmentLabel(period.label)) return [];
  return soldDays(days, period).flatMap(({ channel, dates, last, pause }) => {
    const isUsual = daysFrom(last, period.last) <= pause + Math.max(QUIET_DAYS, pause);
    if (dates.length < DAYS_FEW || isUsual) return [];
    return `the exports of ${channel} end on ${last}, with no later sale of ${period.label}; if the shop sold more, export it again`;
  });
};

/** The days of the period with sales of each channel, and the longest pause between them. */
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
 * Report channels whose sales start late or end early in the period, by much more than any pause in between: an export
 * cut off between two records looks like that, and nothing in it shows the cut.
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
