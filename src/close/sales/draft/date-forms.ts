import { dateForm } from '../normal/date-form.ts';

/** The forms in which exports write dates, the most precise first. */
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
  'M/d/yyyy h:mm a',
  'M/d/yyyy H:mm:ss',
  'M/d/yyyy H:mm',
  'M/d/yyyy',
  'M/d/yy H:mm',
  'M/d/yy',
  'd/M/yyyy H:mm:ss',
  'd/M/yyyy H:mm',
  'd/M/yyyy',
  'd/M/yy',
  'M-d-yyyy',
  'd-M-yyyy',
  'd.M.yyyy H:mm',
  'd.M.yyyy',
  'd MMM yyyy',
  'yyyy/MM/dd HH:mm:ss',
  'yyyy/MM/dd',
  'yyyyMMdd',
] as const;

/** The forms that fit all of some cells; an empty list where one of them is not a date. */
export const dateFormsOf = (cells: readonly string[]): readonly string[] =>
  cells.length === 0 ? [] : FORMS.filter((form) => cells.every((cell) => dateForm(form)(cell) !== undefined));
