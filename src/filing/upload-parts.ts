import { stringify } from 'csv-stringify/sync';
import { DefectError } from '../kernel/errors.ts';
import { absolute, type Money, negate, subtract, sum, ZERO } from '../kernel/money.ts';
import { shownMoney } from '../kernel/text.ts';
import { hasGap } from './state-figures.ts';
import { amountDue, lateOf, type ReturnCheck, type ReturnSchedule, type TaxReturn } from './tax-return.ts';

export const scheduleNamed = ({ schedules, form }: TaxReturn, name: string): ReturnSchedule => {
  const found = schedules.find(({ schedule }) => schedule.name === name);
  if (!found) throw new DefectError(`${form.form} has no schedule ${name}`);
  return found;
};

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

export const fileName = ({ figures, form }: TaxReturn, ending: string): string =>
  `${figures.state}-${form.form.replace(/[^A-Za-z0-9]+/g, '-')}-${figures.period.label}.${ending}`;

/** Builds a check that a total of the file equals a line of the return to the cent. */
export const equalCheck = (test: string, left: Money, right: Money): ReturnCheck => ({
  test,
  left,
  right,
  tolerance: 0 as Money,
});

/** Lists what to check if Tieout lacks rates of places. */
export const missingRates = ({ figures }: TaxReturn): readonly string[] =>
  hasGap(figures)
    ? ['check the rows of places whose local rate Tieout lacks: they carry the tax as it was collected']
    : [];

/** Lists what to add if rows have no code. */
export const missingCodes = (rows: readonly { readonly code: string }[], what: string): readonly string[] => {
  const count = rows.filter(({ code }) => code === '').length;
  return count === 0 ? [] : [`add the ${what} of ${count} of ${rows.length} rows`];
};

/** Returns the codes that several rows have, such as those of a place whose rate changed. */
export const repeatedCodes = (rows: readonly { readonly code: string }[]): readonly string[] => {
  const codes = rows.map(({ code }) => code).filter((code) => code !== '');
  return [...new Set(codes.filter((code, index) => codes.indexOf(code) !== index))];
};

/** A cell of a file for other programs: text, or a formatted number. */
export type CsvCell = { readonly text: string } | { readonly number: string };

const NUMBER = /^-?\d+(\.\d+)?$/;
/**
 * Text with any kind of line end is quoted; otherwise the text after it would begin a new cell, and could be a formula.
 */
const LINE_END = /[\r\n]/;
const FORMULA_START = /^[=+\-@\t\r＝＋－＠]/;

export const text = (value: string): CsvCell => ({ text: value });
export const number = (value: string): CsvCell => ({ number: value });

/**
 * Writes rows as CSV. Text that a spreadsheet would take for a formula gets an apostrophe. Numbers keep their sign;
 * they consist only of digits, a sign and a point.
 */
export const csvText = (rows: readonly (readonly CsvCell[])[]): string =>
  stringify(
    rows.map((row) => row.map(cellText)),
    { record_delimiter: 'windows', quoted_match: LINE_END },
  );

const cellText = (cell: CsvCell): string => {
  if ('text' in cell) return FORMULA_START.test(cell.text) ? `'${cell.text}` : cell.text;
  return NUMBER.test(cell.number) ? cell.number : `'${cell.number}`;
};

/** A file for a state's portal, with the checks that show whether to trust it. */
export type UploadFile = {
  readonly state: string;
  readonly format: string;
  readonly name: string;
  readonly text: string;
  /** Number of rows or elements with amounts. */
  readonly rows: number;
  readonly control: { readonly what: string; readonly amount: Money };
  /** The file's totals compared with lines of the return. */
  readonly checks: readonly ReturnCheck[];
  /** Steps to complete or check by hand before uploading the file: `add the location code of 3 of 3 rows`. */
  readonly toComplete: readonly string[];
  readonly notes: readonly string[];
};

/** An upload file as its writer makes it. */
export type WrittenFile = UploadFile & {
  /** The amount due by the amounts in the file alone. */
  readonly comesTo: Money;
};

/** Says how far the amounts of a file are from the amount due: for lines of the return that it has no place for. */
export const withAmountsByHand = (filed: TaxReturn, { comesTo, ...file }: WrittenFile): UploadFile => {
  const due = amountDue(filed);
  if (comesTo === due) return file;
  const beside = (
    [
      ['discount', filed.discount.claimed],
      ['prepayments', filed.prepayments.used],
      ['credits', filed.credits.used],
      ['penalty and interest', negate(lateOf(filed.values))],
      ['tax collected in excess', negate(filed.values.excess)],
    ] as const
  ).filter(([, amount]) => amount !== ZERO);
  const rests = [beside, ...beside.map((one) => [one])];
  const left = rests.find((parts) => sum(parts.map(([, amount]) => amount)) === subtract(comesTo, due));
  const what = left
    ? left.map(([name, amount]) => `the ${name} of ${shownMoney(absolute(amount))}`).join(' and ')
    : 'the lines';
  const rest = `enter by hand ${what} that the file has no place for: it comes to ${shownMoney(comesTo)}, the return to ${shownMoney(due)}`;
  return { ...file, toComplete: [rest, ...file.toComplete] };
};
