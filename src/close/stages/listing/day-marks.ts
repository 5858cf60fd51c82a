import { addDays, type CalendarDate, instant, startOfDay, utcDateOf } from '../../../kernel/calendar.ts';
import { markIn } from '../../period-sales/recorded-sale.ts';
import { openSlotOf } from '../../workspace/sale-page.ts';
import type { PageHead } from '../../workspace/stage-pages.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * The UTC days of the records of a page, and the mark that the service gives for them. The mark stays the same while
 * their records are unchanged.
 */
export type DayMark = { readonly first: CalendarDate; readonly last: CalendarDate; readonly mark: string };

/**
 * Returns the mark for the day of a page; `undefined` for a page that is not of an open day, or if the service does not
 * support marks.
 */
export type DayMarks = (slot: string) => Promise<DayMark | undefined>;

/** Returns marks, asking the service once for each day. */
export const dayMarks = ({ service, configuration: { timeZone } }: ClosePorts): DayMarks => {
  const known = new Map<CalendarDate, ReturnType<DayMarks>>();
  const markOf = async (day: CalendarDate): ReturnType<DayMarks> => {
    const first = utcDateOf(startOfDay(day, timeZone));
    const last = utcDateOf(instant(startOfDay(addDays(day, 1), timeZone) - 1));
    const marks = await service.dayMarks?.({ first, last });
    const mark = marks && JSON.stringify([...marks]);
    return mark === undefined ? undefined : { first, last, mark };
  };
  return async (slot) => {
    const day = openSlotOf(slot)?.day;
    if (day === undefined) return undefined;
    const mark = known.get(day) ?? markOf(day);
    known.set(day, mark);
    return mark;
  };
};

/** Whether every record of a page was read, and the records of its days have not changed at the service since. */
export const isAsRead = async (
  { slot, input, open }: Pick<PageHead, 'slot' | 'input' | 'open'>,
  marks: DayMarks,
): Promise<boolean> => {
  const mark = markIn(input);
  return open === 0 && mark !== undefined && mark === (await marks(slot))?.mark;
};
