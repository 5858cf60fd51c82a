import { addDays, calendarDate, dateOf } from '../../../kernel/calendar.ts';
import { Exact } from '../../../kernel/decimal.ts';
import { RATE_PLACES, type Rate, rate } from '../../../kernel/money.ts';
import { ContentRefusedError } from '../content-error.ts';
import type { FilePeriod } from './parsed-file.ts';

/** Sales tax rates are far below this; a higher value is from a column of something else. */
const RATE_MAX = 2_000_000;

/** Units of a rate, as places by which its decimal point moves. */
const UNITS = { fraction: 0, percent: 2, 'hundred-thousandths': 5 } as const;

export type RateUnit = keyof typeof UNITS;

/**
 * Read a rate. Percent can have their sign, and a sign says percent wherever it stands. Decimals beyond those of a rate
 * are the noise of a spreadsheet.
 *
 * @throws {ContentRefusedError} when it is none, or higher than any rate
 */
export const rateOf = (text: string, unit: RateUnit, place: string): Rate => {
  const [number = '', sign] = text.split(/\s*(%)$/);
  const isNumber =
    unit === 'hundred-thousandths' ? /^\d{5}$/.test(text) : /^\d*\.?\d+(?:[eE]-?\d{1,3})?$/.test(number);
  const places = RATE_PLACES - (sign ? UNITS.percent : UNITS[unit]);
  const value = isNumber ? new Exact(number).mul(10 ** places).toDecimalPlaces(0) : undefined;
  if (value === undefined || value.greaterThan(RATE_MAX))
    throw new ContentRefusedError(place, `${text || 'an empty cell'} is not ${RATE_WORDS[unit]}`);
  return rate(value.toNumber());
};

const RATE_WORDS: Readonly<Record<RateUnit, string>> = {
  fraction: 'a rate: it is a fraction, as 0.066, or percent with its sign',
  percent: 'a rate in percent',
  'hundred-thousandths': 'a rate in five digits',
};

const DAY = /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$|^(?<mm>\d\d?)\/(?<dd>\d\d?)\/(?<yyyy>\d{4})$/;

/** Read a day, written `20251001` or `10/01/2025`. @throws {ContentRefusedError} when it is none */
export const dayOf = (text: string, place: string): string => {
  const { year, month, day, yyyy, mm, dd } = DAY.exec(text)?.groups ?? {};
  const date = dateOf(Number(year ?? yyyy), Number(month ?? mm), Number(day ?? dd));
  if (date === undefined)
    throw new ContentRefusedError(place, `${text || 'an empty cell'} is not a day (YYYYMMDD)`);
  return date;
};

/** An end in this year or later means that a row has no end. */
const OPEN_YEAR = 2099;

/** Read the last day of a row; empty for the years that mean no end. */
export const endDayOf = (text: string, place: string): string =>
  /^\d{8}$/.test(text) && Number(text.slice(0, 4)) >= OPEN_YEAR ? '' : dayOf(text, place);

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Where the name of a file says from which day it holds: `1-1-26`, `10012026`, `july2026`, `Jan-June2026`. */
const DAYS_IN_NAMES = [
  /(?<month>\d{1,2})-(?<day>\d{1,2})-(?<year>\d{4}|\d{2})\.\w+$/,
  /(?<month>\d{2})(?<day>\d{2})(?<year>\d{4})\.\w+$/,
  /(?<word>jan|apr|jul|oct)[a-z]*[-_ ]*(?:[a-z]+[-_ ]*)?(?<year>\d{4})/i,
];

/** Read the first day of a file from its name. @throws {ContentRefusedError} when it does not have one */
export const periodOfName = (name: string, offered: string): FilePeriod => {
  for (const pattern of DAYS_IN_NAMES) {
    const { word, month, day = 1, year = '' } = pattern.exec(`${offered} ${name}`)?.groups ?? {};
    const number = word === undefined ? Number(month) : MONTHS.indexOf(word.toLowerCase()) + 1;
    const first = dateOf(Number(year.length === 2 ? `20${year}` : year), number, Number(day));
    if (first !== undefined) return { label: first, first, last: first };
  }
  throw new ContentRefusedError(
    name,
    'the name does not say for which days it is, as 1-1-26, 10012026 or july2026',
  );
};

export const dayBefore = (date: string): string => addDays(calendarDate(date), -1);
export const dayAfter = (date: string): string => addDays(calendarDate(date), 1);

/** Return the period of a quarter of a year; `undefined` when there is no such quarter. */
export const quarterOf = (year: number, quarter: number): FilePeriod | undefined => {
  const first = dateOf(year, quarter * 3 - 2, 1);
  const next = quarter === 4 ? dateOf(year + 1, 1, 1) : dateOf(year, quarter * 3 + 1, 1);
  if (first === undefined || next === undefined) return undefined;
  return { label: `${year}Q${quarter}`, first, last: dayBefore(next) };
};

/** Return the latest of some days; empty if there are none. */
export const newestOf = (days: readonly string[]): string => days.toSorted().at(-1) ?? '';
