import { dayForms } from '../sales/normal/date-form.ts';

/** The day that a cell of a spreadsheet means; `undefined` when it is none. Of figures with slashes the month comes first, unless it cannot. */
export const readDay = dayForms([
  'yyyy-MM-dd',
  'yyyy/MM/dd',
  'M/d/yyyy',
  'M/d/yy',
  'd/M/yyyy',
  'd.M.yyyy',
  'd.M.yy',
  'd-MMM-yyyy',
  'd-MMM-yy',
  'd MMM yyyy',
  'd MMMM yyyy',
  'MMM d, yyyy',
  'MMMM d, yyyy',
  'yyyy-MM-dd HH:mm(:ss)',
]);
