import type { Cell, CellValue, ValueType } from 'exceljs';
import ssf from 'ssf';
import { DAY_MS } from '../../../kernel/calendar.ts';

/**
 * The text of a cell as shown in the workbook: formatted amounts, the result of a formula, `TRUE` and `FALSE`. If a
 * format hides a part of a number (`3.30E+09`, the cents of a rounded amount, its minus, or its thousands), the number is
 * returned instead. A date is returned with its year first, whatever form the cell shows, so that no one has to guess
 * which of its numbers is the month.
 */
export const cellText = (cell: Cell, is1904: boolean): string =>
  cell.isMerged && cell.master !== cell ? '' : valueText(contentOf(cell), cell.numFmt, is1904);

/** What a cell has, of a formula its result. `value` of exceljs leaves out results that are 0, false or an empty text. */
const contentOf = (cell: Cell): CellValue | undefined => (cell.type === FORMULA ? cell.result : cell.value);

const FORMULA: ValueType.Formula = 6;

const valueText = (value: CellValue | undefined, format: string | undefined, is1904: boolean): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value, format);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof Date) return dateText(value, format, is1904);
  if ('error' in value) return value.error;
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  if ('hyperlink' in value)
    return typeof value.text === 'string' ? value.text : valueText(value.text, format, is1904);
  if ('result' in value) return valueText(value.result, format, is1904);
  return '';
};

/** Significant digits that a spreadsheet stores. */
const DIGITS_KEPT = 15;

const numberText = (value: number, format = GENERAL): string => {
  if (!Number.isFinite(value)) return '';
  if (isLong(value)) return String(value);
  // Of another number of this size the last digits may be lost, which its exponent shows.
  if (format === GENERAL || Math.abs(value) >= 10 ** DIGITS_KEPT) return plainDigits(value);
  const shown = formatted(format, value);
  if (shown === undefined || /E[+-]/i.test(shown)) return plainDigits(value);
  if (shown.includes('%')) return readBack(shown) === kept(value) ? shown : `${plainDigits(value * 100)}%`;
  const decimals = /\.([0#?]+)/.exec(format)?.[1]?.length ?? 0;
  // Fewer than two decimals hide the cents of an amount; more of them round it as the workbook does.
  if (decimals < 2) return readBack(shown) === kept(value) ? shown : plainDigits(value);
  const isRounded = Math.abs(readBack(shown) - value) <= 0.5 * 10 ** -decimals + ROUNDING_ERROR;
  return isRounded ? shown : plainDigits(Number(formatted(`0.${'0'.repeat(decimals)}`, value)));
};

const GENERAL = 'General';

/** Binary fractions make the half of a last digit slightly more or less than that. */
const ROUNDING_ERROR = 1e-9;

/** The number as a spreadsheet stores it. */
const kept = (value: number): number => Number(value.toPrecision(DIGITS_KEPT));

/** Whether a whole number has digits beyond those that a spreadsheet stores, as another program wrote it. */
const isLong = (value: number): boolean => Number.isSafeInteger(value) && kept(value) !== value;

/** All digits of a number, without an exponent as long as the spreadsheet stores all of them. */
const plainDigits = (value: number): string => {
  const stored = kept(value);
  if (Math.abs(stored) >= 10 ** DIGITS_KEPT) return stored.toExponential(5).replace('e', 'E').toUpperCase();
  if (Math.abs(stored) >= 1e-6 || stored === 0) return String(stored);
  return stored.toFixed(DIGITS_KEPT).replace(/0+$/, '');
};

/** The number that a shown text says; `NaN` if it says none. */
const readBack = (shown: string): number => {
  const digits = shown.replace(/[^\d.]/g, '');
  if (digits === '') return Number.NaN;
  const isNegative = /^\(.*\)$|^-/.test(shown);
  return ((isNegative ? -1 : 1) * Number(digits)) / (shown.includes('%') ? 100 : 1);
};

/** Days from the spreadsheet epoch to 1970. */
const DAYS_TO_1970 = 25_569;
const DAYS_TO_1970_SINCE_1904 = 24_107;

/** `yyyy-MM-dd`, with ` HH:mm` or ` HH:mm:ss` if the cell shows a time; a cell with only a time as shown. */
const dateText = (value: Date, format: string | undefined, is1904: boolean): string => {
  const serial = value.getTime() / DAY_MS + (is1904 ? DAYS_TO_1970_SINCE_1904 : DAYS_TO_1970);
  const known = format === undefined || format === GENERAL ? DATE_AND_TIME : format;
  // exceljs takes some formats of numbers for those of dates.
  if (!ssf.is_date(known)) return numberText(serial, known);
  const letters = known.replace(/\[[^\]]*\]|"[^"]*"|[\\_]./g, '');
  if (!/[yd]/i.test(letters)) return formatted(known, serial, is1904) ?? value.toISOString();
  const [day = '', precise = ''] = value.toISOString().split('T');
  if (!/[hs]/i.test(letters)) return day;
  // As the cell shows it, since the instant tells parts of a sale apart and stays that of earlier exports.
  const seconds = /s+(\.0+)?/i.exec(letters);
  const time = formatted(seconds ? `hh:mm:ss${seconds[1] ?? ''}` : 'hh:mm', serial, is1904) ?? precise;
  // Rounding must not reach the next day, which could be the next month.
  return `${day} ${time.startsWith('24') ? precise.slice(0, time.length) : time}`;
};

const DATE_AND_TIME = 'yyyy-mm-dd hh:mm:ss';

const formatted = (format: string, value: number, is1904 = false): string | undefined => {
  try {
    return ssf.format(format, value, { date1904: is1904 }).trim();
  } catch {
    // An invalid format; only the number can be shown.
    return undefined;
  }
};
