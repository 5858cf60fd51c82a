import { addDays, type CalendarDate, dateOf } from '../../kernel/calendar.ts';
import type { LedgerDays } from './ledger-file.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

const monthOf = (name: string | undefined): number | undefined => {
  const text = (name ?? '').toLowerCase();
  const found = MONTHS.findIndex((month) => text.length >= 3 && month.startsWith(text));
  return found < 0 ? undefined : found + 1;
};

const NAME = '([A-Za-z]{3,9})';
const TO = '\\s*(?:-|–|to|through)\\s*';

/** `September 1-30, 2026`, `July 21 - August 3, 2026`, `December 28, 2025 - January 3, 2026`. */
const DAYS = new RegExp(`${NAME} (\\d{1,2})(?:, (\\d{4}))?${TO}(?:${NAME} )?(\\d{1,2}), (\\d{4})`);
/** `1 September 2026 to 30 September 2026`. */
const DAY_FIRST = new RegExp(`(\\d{1,2}) ${NAME} (\\d{4})${TO}(\\d{1,2}) ${NAME} (\\d{4})`);
/** `09/01/2026 - 09/30/2026`. */
const FIGURES = new RegExp(`(\\d{1,2})/(\\d{1,2})/(\\d{4})${TO}(\\d{1,2})/(\\d{1,2})/(\\d{4})`);
/** `September 2026`, `July - September, 2026`. */
const WHOLE_MONTHS = new RegExp(`^(?:${NAME}(?: (\\d{4}))?${TO})?${NAME},? (\\d{4})$`);

type Day = CalendarDate | undefined;

const day = (year: string | undefined, month: number | undefined, number: string | undefined): Day =>
  month === undefined ? undefined : dateOf(Number(year), month, Number(number));

const lastOf = (year: string | undefined, month: number | undefined): Day => {
  if (month === undefined) return undefined;
  const next = month === 12 ? dateOf(Number(year) + 1, 1, 1) : dateOf(Number(year), month + 1, 1);
  return next && addDays(next, -1);
};

type Found = RegExpExecArray;

/** How a form of dates is read. A year or a month that stands only once belongs to both ends. */
const FORMS: readonly (readonly [RegExp, (found: Found) => readonly [Day, Day]])[] = [
  [DAY_FIRST, ([, d1, m1, y1, d2, m2, y2]) => [day(y1, monthOf(m1), d1), day(y2, monthOf(m2), d2)]],
  [DAYS, ([, m1, d1, y1, m2, d2, y2]) => [day(y1 ?? y2, monthOf(m1), d1), day(y2, monthOf(m2 ?? m1), d2)]],
  [FIGURES, ([, m1, d1, y1, m2, d2, y2]) => [day(y1, Number(m1), d1), day(y2, Number(m2), d2)]],
  [WHOLE_MONTHS, ([, m1, y1, m2, y2]) => [day(y1 ?? y2, monthOf(m1 ?? m2), '1'), lastOf(y2, monthOf(m2))]],
];

/** The days that a line above the header of a report names; `undefined` when it names none. */
export const reportDays = (text: string): LedgerDays | undefined => {
  for (const [form, read] of FORMS) {
    const found = form.exec(text.trim());
    const [first, last] = found ? read(found) : [];
    if (first && last && first <= last) return { first, last };
  }
  return undefined;
};
