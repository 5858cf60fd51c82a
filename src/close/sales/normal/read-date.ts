import { type CalendarDate, calendarDate, type Instant, instant } from '../../../kernel/calendar.ts';
import { isTimeZone, startOfDay, zoneClock } from '../../../kernel/time-zones.ts';
import type { TableRow } from '../files/table-row.ts';
import type { TextExpression } from '../profile/expression.ts';
import { type DateRule, isChannelOr } from '../profile/locale.ts';
import type { CellProblem, TextOf } from '../read-amount.ts';
import { columnsOfText, type RowReader } from '../row-reader.ts';
import { type DateParts, dateForm } from './date-form.ts';

/** When a record happened. `wholeDay` is the day of a cell without a time, as opposed to midnight of that day. */
export type ReadDate = { readonly at: Instant; readonly wholeDay: CalendarDate | undefined };

export type DateZones = {
  /** The entity's zone, for days without a time. */
  readonly timeZone: string;
  /** The channel's zone, for cells with its local time. */
  readonly channelZone: string;
  /** The zone that the configuration states for the channel itself. */
  readonly statedZone?: string | undefined;
};

const DAYS_REMEMBERED_MAX = 10_000;
const FIRST_MS = Date.UTC(1900, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31);

/**
 * Compile a reader for the dates of one file by its profile's rule. Formats are compiled and zones looked up only once.
 */
export const dateReader = (
  rule: DateRule,
  read: RowReader,
  zones: DateZones,
): ((row: TableRow) => ReadDate | CellProblem) => {
  const forms = rule.forms.map(dateForm);
  const column = rule.columns.map(columnsOfText).join(' and ');
  const text = dateText(rule.columns, read);
  const clockOf = clocks(rule, read, zones);
  const dayStart = dayStarts(zones.timeZone);
  return (row) => {
    const value = text(row);
    let parts: DateParts | undefined;
    for (const form of forms) {
      parts = form(value);
      if (parts) break;
    }
    if (!parts) return { problem: `is not a date${nounOf(rule.forms)}`, column, value };
    if (parts.wall === undefined) {
      const day = calendarDate(parts.date);
      return { at: dayStart(day), wholeDay: day };
    }
    if (parts.offsetMs !== undefined) {
      const at = parts.wall - parts.offsetMs;
      return at >= FIRST_MS && at <= LAST_MS
        ? { at: instant(at), wholeDay: undefined }
        : { problem: 'is not a time that can be kept', column, value };
    }
    const clock = clockOf(row);
    if (clock === undefined) return { problem: `names no known time zone beside it`, column, value };
    return { at: clock(parts.wall), wholeDay: undefined };
  };
};

/** ` and time of the form X`, or ` of the forms X or Y`. */
const nounOf = (forms: readonly string[]): string => {
  const time = forms.every((form) => /[Hh]/.test(form)) ? ' and time' : '';
  return `${time} of the form ${forms.join(' or ')}`;
};

/** Return a reader of the cells of a date, joined by a space. */
export const dateText = (columns: readonly TextExpression[], read: RowReader): TextOf => {
  const parts = columns.map(read.text);
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return (row) =>
    parts
      .map((part) => part(row))
      .join(' ')
      .trim();
};

type Clock = (wall: number) => Instant;

const clocks = (
  { zone }: DateRule,
  read: RowReader,
  { channelZone, statedZone }: DateZones,
): ((row: TableRow) => Clock | undefined) => {
  if (zone === 'cell-offset' || zone === 'cell-abbreviation') return () => undefined;
  if (typeof zone === 'string' || isChannelOr(zone)) {
    const shown = typeof zone === 'string' ? zone : (statedZone ?? zone.channelOr);
    const clock = zoneClock(shown === 'channel' ? channelZone : shown);
    return () => clock;
  }
  const byName = new Map(Object.entries(zone.map).map(([name, id]) => [name.toLowerCase(), zoneClock(id)]));
  const nameOf = read.text(zone.column);
  return (row) => {
    const name = nameOf(row);
    const known = byName.get(name.toLowerCase());
    if (known !== undefined || !name.includes('/') || !isTimeZone(name)) return known;
    const clock = zoneClock(name);
    byName.set(name.toLowerCase(), clock);
    return clock;
  };
};

const dayStarts = (timeZone: string): ((day: CalendarDate) => Instant) => {
  const remembered = new Map<CalendarDate, Instant>();
  return (day) => {
    let start = remembered.get(day);
    if (start === undefined) {
      start = startOfDay(day, timeZone);
      if (remembered.size >= DAYS_REMEMBERED_MAX) remembered.clear();
      remembered.set(day, start);
    }
    return start;
  };
};
