import type { TableRow } from '../files/table-row.ts';
import { dateForm } from '../normal/date-form.ts';

/** Forms that exports are known to write dates in, those that say most first. */
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
  /** Another form that all values fit as well, because day and month cannot be told apart. */
  readonly or: string | undefined;
};

/** The form that all of the values have; `undefined` when there is none among the known ones. */
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
  /** Rows that have the number of the row before them, without a sign that they are further lines of it. */
  readonly repeated: number;
};

/**
 * How rows make up orders. A number that comes again on the next row means lines where the row leaves the total blank
 * or has another item; otherwise it may as well be a refund, or the order once more.
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

/** Whether a cell differs between rows of one order, so that it belongs to the line and not to the order. */
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

/** Patterns of rows that are not records: sums wherever they stand, and what reports say of themselves. */
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

/** How the first row begins, where it explains the columns: words only, above rows that have numbers there. */
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
