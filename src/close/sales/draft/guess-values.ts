import type { TableRow } from '../files/table-row.ts';
import { dateForm } from '../normal/date-form.ts';

/** Known date formats of exports, most precise first. */
const FORMS = [
  'yyyy-MM-dd HH:mm:ss ZZZ',
  'yyyy-MM-ddTHH:mm:ssZZZ',
  'yyyy-MM-dd HH:mm:ss',
  'yyyy-MM-ddTHH:mm:ss',
  'yyyy-MM-dd HH:mm',
  'yyyy-MM-dd',
  'MMM d, yyyy h:mm:ss a zzz',
  'MMM d, yyyy h:mm:ss a',
  'MMM d, yyyy h:mm a',
  'MMM d, yyyy',
  'M/d/yyyy h:mm:ss a',
  'd/M/yyyy h:mm:ss a',
  'M/d/yyyy h:mm a',
  'M/d/yyyy H:mm:ss',
  'd/M/yyyy H:mm:ss',
  'M/d/yyyy H:mm',
  'M/d/yyyy',
  'd/M/yyyy',
  'M/d/yy H:mm',
  'M/d/yy',
  'd/M/yyyy H:mm',
  'd/M/yy H:mm',
  'd/M/yy',
  'M-d-yyyy H:mm',
  'M-d-yyyy',
  'd-M-yyyy H:mm',
  'd-M-yyyy',
  'd.M.yyyy H:mm:ss',
  'd.M.yyyy H:mm',
  'd.M.yyyy',
  'd.M.yy H:mm:ss',
  'd.M.yy H:mm',
  'd.M.yy',
  'd MMM yyyy',
  'yyyy/MM/dd HH:mm:ss',
  'yyyy/MM/dd',
  'yyyyMMdd',
] as const;

type DateGuess = {
  readonly form: string;
  /** Another format that also fits all values, because day and month cannot be told apart. */
  readonly or: string | undefined;
};

/** Find the known format that fits all values; `undefined` if there is none. */
export const guessDateForm = (values: readonly string[]): DateGuess | undefined => {
  const filled = values.filter((value) => value !== '');
  if (filled.length === 0) return undefined;
  const fitting = FORMS.filter((form) => filled.every((value) => dateForm(form)(value) !== undefined));
  const [form] = fitting;
  if (form === undefined) return undefined;
  const exchanged = form.replace(/^M([/-])d/, 'd$1M');
  return { form, or: fitting.find((other) => other === exchanged && other !== form) };
};

export type ShapeGuess = {
  readonly kind: 'order-per-row' | 'line-repeat' | 'line-blank';
  /** Number of rows with the same number as the previous row, but without a sign that they are further lines of it. */
  readonly repeated: number;
};

/**
 * Guess how rows form orders. A repeated number on the next row means lines if that row leaves the total blank or has
 * another item; otherwise it could also be a refund, or the order again.
 */
export const guessShape = (
  ids: readonly string[],
  totals: readonly string[],
  items: readonly (readonly string[])[],
): ShapeGuess => {
  const again = ids.flatMap((id, index) => (index > 0 && id !== '' && id === ids[index - 1] ? [index] : []));
  if (again.some((index) => totals[index] === '' && totals[index - 1] !== ''))
    return { kind: 'line-blank', repeated: 0 };
  if (items.some((values) => isOfLines(ids, values))) return { kind: 'line-repeat', repeated: 0 };
  return { kind: 'order-per-row', repeated: again.length };
};

/** Whether values differ between rows of one order, so that they belong to lines and not to the order. */
export const isOfLines = (ids: readonly string[], values: readonly string[]): boolean =>
  ids.some(
    (id, index) =>
      index > 0 &&
      id !== '' &&
      id === ids[index - 1] &&
      values[index] !== '' &&
      values[index] !== values[index - 1],
  );

const SUMS_AND_NOTES = ['^(grand )?totals?\\b', '^(accrual|cash) basis\\b'];

/** Patterns of rows that are not records: totals anywhere, and descriptions of the report. */
export const framingPatterns = (sample: readonly TableRow[]): readonly string[] => {
  const starts = sample.map(startOf);
  const described = descriptionIn(sample);
  return [
    ...SUMS_AND_NOTES.filter((pattern) => starts.some((start) => new RegExp(pattern, 'iu').test(start))),
    ...(described === undefined ? [] : [`^${described.replace(/[^\p{L}\p{N} ]/gu, '.')}`]),
  ];
};

export const startOf = ({ cells }: TableRow): string =>
  cells.find((cell) => cell.trim() !== '')?.trim() ?? '';

/** The start of the first row if it explains the columns: it has only words where all rows below have numbers. */
const descriptionIn = ([first, ...others]: readonly TableRow[]): string | undefined => {
  if (!first || others.length === 0) return undefined;
  const hasNumber = ({ cells }: TableRow, at: number): boolean => /\d/.test(cells[at] ?? '');
  const explained = first.cells.filter(
    (cell, at) => cell.trim() !== '' && !hasNumber(first, at) && others.every((row) => hasNumber(row, at)),
  );
  return explained.length < 2 || first.cells.some((_, at) => hasNumber(first, at))
    ? undefined
    : startOf(first);
};
