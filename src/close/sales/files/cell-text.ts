import type { Cell, CellValue } from 'exceljs';
import ssf from 'ssf';
import { DAY_MS } from '../../../kernel/calendar.ts';

/**
 * The text of a cell as the person who opens the workbook sees it: dates and amounts in their format, the result of
 * a formula, `TRUE` and `FALSE`. A format that hides digits of a number (`3.30E+09`, or cents behind a whole
 * number) is the exception: then the number itself is given.
 */
export const cellText = (cell: Cell, is1904: boolean): string =>
  cell.isMerged && cell.master !== cell ? '' : valueText(cell.value, cell.numFmt, is1904);

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

/** Digits that a spreadsheet keeps of a number. */
const DIGITS_KEPT = 15;

const numberText = (value: number, format: string | undefined): string => {
  if (!Number.isFinite(value)) return '';
  const shown = format === undefined || format === 'General' ? undefined : formatted(format, value);
  const decimals = /\.([0#?]+)/.exec(format ?? '')?.[1]?.length ?? 0;
  if (shown !== undefined && (decimals >= 2 || readBack(shown) === value) && !/E[+-]/i.test(shown))
    return shown;
  return plainDigits(value);
};

/** All digits of a number, without an exponent while the spreadsheet has kept all of them. */
const plainDigits = (value: number): string => {
  const kept = Number(value.toPrecision(DIGITS_KEPT));
  if (Math.abs(kept) >= 10 ** DIGITS_KEPT) return kept.toExponential(5).replace('e', 'E').toUpperCase();
  if (Math.abs(kept) >= 1e-6 || kept === 0) return String(kept);
  return kept.toFixed(DIGITS_KEPT).replace(/0+$/, '');
};

const readBack = (shown: string): number => {
  const digits = shown.replace(/[^\d.]/g, '');
  const isNegative = /^\(.*\)$|^-/.test(shown.trim());
  return shown.includes('%')
    ? Number.NaN
    : (isNegative ? -1 : 1) * Number(digits === '' ? Number.NaN : digits);
};

/** Days from the spreadsheet's first day to 1970. */
const DAYS_TO_1970 = 25_569;
const DAYS_TO_1970_SINCE_1904 = 24_107;

/** Built-in date formats that a spreadsheet shows in the manner of the country; here that is the United States. */
const US_FORMATS: Readonly<Record<string, string>> = {
  'mm-dd-yy': 'm/d/yyyy',
  'm/d/yy "h":mm': 'm/d/yyyy h:mm',
  'm/d/yy h:mm': 'm/d/yyyy h:mm',
};

const dateText = (value: Date, format: string | undefined, is1904: boolean): string => {
  const serial = value.getTime() / DAY_MS + (is1904 ? DAYS_TO_1970_SINCE_1904 : DAYS_TO_1970);
  const known = format === undefined || format === 'General' ? 'yyyy-mm-dd hh:mm:ss' : format;
  return formatted(US_FORMATS[known] ?? known, serial, is1904) ?? value.toISOString();
};

const formatted = (format: string, value: number, is1904 = false): string | undefined => {
  try {
    return ssf.format(format, value, { date1904: is1904 }).trim();
  } catch {
    // A format that is none; the number itself is all there is to show.
    return undefined;
  }
};
