import { addDays, type CalendarDate, parseDate } from './calendar.ts';
import { DefectError } from './errors.ts';

/** A span of whole months for which returns are filed. Both ends are inclusive. */
export type FilingPeriod = {
  /** `2026-10`, `2026-Q3`, `2026-H1`, `2026` or `2026-10..2027-03`: as people write it, and folders are named. */
  readonly label: string;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
};

/** The year, and the month, the quarter or the half. */
const FORM = /^(\d{4})(?:-(?:(0[1-9]|1[0-2])|Q([1-4])|H([12])))?$/;
const MONTHS_MAX = 600;

/** Read a month, quarter, half, year or a range of them. `undefined` for other text, or if it ends before it starts. */
export const parsePeriod = (text: string): FilingPeriod | undefined => {
  const range = text.split('..');
  if (range.length === 2) {
    const from = parsePeriod(range[0] ?? '');
    const to = parsePeriod(range[1] ?? '');
    if (!from || !to || from.first > to.first || from.last > to.last) return undefined;
    const period = { label: text, first: from.first, last: to.last };
    return monthCount(period) <= MONTHS_MAX ? period : undefined;
  }
  const [, year, month, quarter, half] = FORM.exec(text) ?? [];
  if (year === undefined) return undefined;
  const length = monthsIn(month, quarter, half);
  return span(text, Number(year) * 12 + (Number(month ?? quarter ?? half ?? 1) - 1) * length, length);
};

const monthsIn = (month?: string, quarter?: string, half?: string): number => {
  if (month !== undefined) return 1;
  if (quarter !== undefined) return 3;
  return half === undefined ? 12 : 6;
};

const span = (label: string, begin: number, length: number): FilingPeriod | undefined => {
  const first = parseDate(`${monthName(begin)}-01`);
  const next = parseDate(`${monthName(begin + length)}-01`);
  return first && next ? { label, first, last: addDays(next, -1) } : undefined;
};

/** Months of the ranges that are filing periods of a state whose quarters, halves or years begin in another month. */
const FILED_RANGES: ReadonlySet<number> = new Set([3, 6, 12]);

/**
 * Return the period of the same kind that ends the day before: for three, six or twelve months the range of as many.
 * `undefined` for another range.
 */
export const periodBefore = ({ label, first, last }: FilingPeriod): FilingPeriod | undefined => {
  const [, year, month, quarter, half] = FORM.exec(label) ?? [];
  const count = monthCount({ label, first, last });
  const begin = monthIndex(first) - count;
  const inYear = Math.floor(begin / 12);
  if (month !== undefined) return parsePeriod(monthName(begin));
  if (quarter !== undefined) return parsePeriod(`${inYear}-Q${(begin % 12) / 3 + 1}`);
  if (half !== undefined) return parsePeriod(`${inYear}-H${(begin % 12) / 6 + 1}`);
  if (year !== undefined) return parsePeriod(String(inYear));
  if (!FILED_RANGES.has(count)) return undefined;
  return parsePeriod(`${monthName(begin)}..${monthName(begin + count - 1)}`);
};

/** List the calendar months of a period, oldest first. */
export const monthsOf = (period: FilingPeriod): FilingPeriod[] => {
  const months: FilingPeriod[] = [];
  for (let first = period.first; first <= period.last; ) {
    const month = parsePeriod(first.slice(0, 7));
    if (!month) throw new DefectError(`${first} starts no month`);
    months.push(month);
    first = addDays(month.last, 1);
  }
  return months;
};

const monthCount = ({ first, last }: FilingPeriod): number => monthIndex(last) - monthIndex(first) + 1;

/** Number the month of a date, or a month, from 0 in year 0, so that spans are plain arithmetic. */
export const monthIndex = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

export const monthName = (index: number): string =>
  `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;

export const isWithin = (period: Pick<FilingPeriod, 'first' | 'last'>, date: CalendarDate): boolean =>
  period.first <= date && date <= period.last;

const SUFFIX = /-amended-(\d+)$/;

/** Return the label of the amended version of a period with this number: `2026-10-amended-1`. */
export const amendedLabel = (period: string, number: number): string => `${period}-amended-${number}`;

/** Whether this is the label of an amended version of a period. */
export const isAmendmentLabel = (label: string): boolean => SUFFIX.test(label);

/** Return the number of an amended version, from 1; 0 for a period itself. */
export const amendmentNumber = (label: string): number => Number(SUFFIX.exec(label)?.[1] ?? 0);

/** Return the label of the period that a version amends; the label of a period is returned as it is. */
export const amendedPeriod = (label: string): string => label.replace(SUFFIX, '');

/** Read the label of a period or of an amended version, and keep it as the label. `undefined` for other text. */
export const parseVersion = (text: string): FilingPeriod | undefined => {
  const period = parsePeriod(amendedPeriod(text));
  return period && { ...period, label: text };
};

/** Return the previous period; for an amended version, the one before the period that it amends. */
export const versionBefore = (period: FilingPeriod): FilingPeriod | undefined =>
  periodBefore({ ...period, label: amendedPeriod(period.label) });
