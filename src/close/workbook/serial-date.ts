import { type CalendarDate, DAY_MS, type Instant } from '../../kernel/calendar.ts';
import { DefectError } from '../../kernel/errors.ts';

const SECOND_MS = 1000;
/** Serial number of 1970-01-01. Excel counts days from 1899-12-31 and counts a 29 February 1900 that never was. */
const UNIX_EPOCH_SERIAL = 25_569;
/** The first day after Excel's imaginary one: earlier serials mean different days in different programs. */
const FIRST_SERIAL = 61;

const checked = (serial: number, shown: string): number => {
  if (!Number.isFinite(serial) || serial < FIRST_SERIAL) {
    throw new DefectError(`${shown} is not a day a spreadsheet can hold`);
  }
  return serial;
};

/** A day as Excel's day number, so that it sorts, filters and subtracts as a date. */
export const dateSerial = (date: CalendarDate): string =>
  String(checked(Date.parse(date) / DAY_MS + UNIX_EPOCH_SERIAL, date));

/** An instant as Excel's day number in UTC with the time of day behind the point; whole seconds. */
export const instantSerial = (at: Instant): string => {
  const seconds = Math.floor(at / SECOND_MS);
  return String(checked((seconds * SECOND_MS) / DAY_MS + UNIX_EPOCH_SERIAL, String(at)));
};
