import type { CalendarDate } from '../../../kernel/calendar.ts';
import type { Detected } from '../detect-profile.ts';
import { ExportError } from '../export-error.ts';
import type { TableRow } from '../files/table-row.ts';
import type { DateRule } from '../profile/locale.ts';
import type { SalesProfile } from '../profile.ts';
import { columnsOfText, rowReader } from '../row-reader.ts';
import type { SaleFinding } from '../sale.ts';
import { CELL_FORMS } from './cell-dates.ts';
import { dateForm, dayForms, exchangedForm } from './date-form.ts';
import { dateText } from './read-date.ts';

/**
 * Ensure that day and month are not swapped throughout a file. If the profile declares one format, a value that
 * contradicts it is accepted only if another value fits only this format. If the profile leaves it to the file, a value
 * must prove one format and none the other. Unambiguous formats are not checked.
 *
 * @param tell called with how the format was proved, or that it was not
 * @returns the rule for reading the dates of this file
 * @throws {ExportError} E_EXPORT_DATES
 */
export const proveDates = async (
  profile: SalesProfile,
  { header, rows, delimiter }: Dated,
  file: string,
  tell: (remark: SaleFinding) => void = () => {},
): Promise<DateRule> => {
  const rule = profile.locale.date;
  const { nullTokens, headerAliases } = profile.file;
  const text = dateText(rule.columns, rowReader(header, { nullTokens, headerAliases }));
  const column = rule.columns.map(columnsOfText).join(' and ');
  const cellForms = delimiter === undefined ? CELL_FORMS : [];
  if (!rule.provenByFile && rule.forms.every((form) => exchangedForm(form) === undefined)) {
    await refuseReformatted(rule, rows, text, { file, column, cellForms });
    return rule;
  }
  const forms = rule.provenByFile ? mistakable(rule) : [...rule.forms, ...exchanged(rule)];
  const counted = await tally(rows, text, { forms, cellForms });
  refuseHalfRead(counted, file, column);
  const proven = rule.provenByFile
    ? provenForm(rule, counted, file, { id: profile.id, column })
    : declaredForm(rule, counted, file, column);
  const remark = proofOf(proven, counted, column);
  if (remark) tell(remark);
  return proven;
};

type Dated = Pick<Detected, 'header' | 'rows' | 'delimiter'>;

/** Describe how day and month were determined; nothing if no date was ambiguous. */
const proofOf = (
  { forms }: DateRule,
  { forms: tried, proofs, examples, open }: Counted,
  column: string,
): SaleFinding | undefined => {
  const at = tried.findIndex((form, index) => forms.includes(form) && (proofs[index] ?? 0) > 0);
  if (at >= 0) {
    const count = proofs[at] === 1 ? 'one date' : `${proofs[at]} dates`;
    const message = `${count} in ${column} can only be ${tried[at]}, such as ${examples[at]}`;
    return { code: 'dates-proven', message };
  }
  if (open === 0) return undefined;
  const message = `no date in ${column} proves the form; they are read as ${forms.join(' or ')}, as the profile declares`;
  return { code: 'dates-declared', message };
};

/** The formats of a rule that occur with both orders of day and month. */
const mistakable = ({ forms }: DateRule): readonly string[] =>
  forms.filter((form) => forms.includes(exchangedForm(form) ?? ''));

const exchanged = ({ forms }: DateRule): readonly string[] =>
  forms.map(exchangedForm).filter((form) => form !== undefined);

type Counted = {
  readonly forms: readonly string[];
  /** By format: number of values that fit only this format, and one of them. */
  readonly proofs: readonly number[];
  readonly examples: readonly string[];
  /** Number of values that fit several formats, and the formats that fit any value. */
  readonly open: number;
  readonly seen: readonly string[];
  /** The months, as `yyyy-MM`, of the values that fit only one format. */
  readonly months: ReadonlySet<string>;
  /** The real dates of a workbook. */
  readonly real: ReadonlySet<CalendarDate>;
};

const tally = async (
  rows: () => AsyncIterable<readonly TableRow[]>,
  text: (row: TableRow) => string,
  { forms, cellForms }: { readonly forms: readonly string[]; readonly cellForms: readonly string[] },
): Promise<Counted> => {
  const fits = forms.map(dateForm);
  const cellDay = dayForms(cellForms);
  const real = new Set<CalendarDate>();
  const months = new Set<string>();
  const proofs = forms.map(() => 0);
  const examples = forms.map(() => '');
  const seen = new Set<number>();
  let open = 0;
  let last: string | undefined;
  for await (const batch of rows()) {
    for (const row of batch) {
      const value = text(row);
      if (value === '' || value === last) continue;
      last = value;
      const day = cellDay(value);
      if (day !== undefined) {
        real.add(day);
        continue;
      }
      const fitting = forms.flatMap((_, index) => (fits[index]?.(value) ? [index] : []));
      for (const index of fitting) seen.add(index);
      const [only] = fitting;
      if (fitting.length > 1) open += 1;
      if (only === undefined || fitting.length > 1) continue;
      proofs[only] = (proofs[only] ?? 0) + 1;
      examples[only] ||= value;
      months.add(monthOf(fits[only]?.(value)?.date ?? ''));
    }
  }
  return { forms, proofs, examples, open, months, real, seen: forms.filter((_, index) => seen.has(index)) };
};

const provenForm = (
  rule: DateRule,
  counted: Counted,
  file: string,
  { id, column }: { readonly id: string; readonly column: string },
): DateRule => {
  const proven = counted.forms.filter((_, index) => (counted.proofs[index] ?? 0) > 0);
  const [only] = proven;
  if (only === undefined && counted.open === 0) return rule;
  // A file has a single order of day and month, whichever of its formats proves it.
  if (only !== undefined && proven.every((form) => isDayFirst(form) === isDayFirst(only))) {
    const isRefuted = (form: string) => counted.forms.includes(form) && isDayFirst(form) !== isDayFirst(only);
    return { ...rule, forms: rule.forms.filter((form) => !isRefuted(form)) };
  }
  const found =
    only === undefined
      ? `no date in ${column} proves which of ${counted.seen.join(' and ')} the file uses`
      : `dates in ${column} prove both ${proven.join(' and ')}, such as ${counted.examples.filter((text) => text !== '').join(' and ')}`;
  const declaring = (dayFirst: boolean): string =>
    `forms: ${JSON.stringify(counted.seen.filter((form) => isDayFirst(form) === dayFirst))}`;
  throw new ExportError(
    'E_EXPORT_DATES',
    file,
    found,
    `Declare the form in a profile of your own: extends: ${id}, an id, and locale: { date: { provenByFile: false, ${declaring(false)} } } where the month is first, or ${declaring(true)} where the day is.`,
  );
};

/**
 * Reject a workbook of which a spreadsheet may have read day for month: then only what cannot be exchanged stayed text,
 * and what became a date has a day that may be a month. In a file of a single month the dates are right, as an export
 * until the 13th has them: exchanged, they would be of other months than the texts.
 */
const refuseHalfRead = (
  { forms, proofs, examples, open, months, real }: Counted,
  file: string,
  column: string,
): void => {
  const proven = forms.findIndex((form, at) => exchangedForm(form) !== undefined && (proofs[at] ?? 0) > 0);
  if (open > 0 || proven < 0 || [...real].some((date) => Number(date.slice(8)) > MONTHS)) return;
  const exchangeable = [...real].find((date) => date.slice(5, 7) !== date.slice(8));
  const isOfOneMonth = new Set([...months, ...[...real].map(monthOf)]).size === 1;
  if (exchangeable === undefined || isOfOneMonth) return;
  throw new ExportError(
    'E_EXPORT_DATES',
    file,
    `a spreadsheet made dates of some cells in ${column}, such as ${exchangeable}, and left others as text, such as ${examples[proven]}: it may have taken the day for the month`,
    `Export the file again, and do not save it from a spreadsheet. If ${exchangeable} is right as it stands, enter ${examples[proven]} and the other texts as dates.`,
  );
};

const MONTHS = 12;

const monthOf = (date: string): string => date.slice(0, 7);

/** Date formats that spreadsheets write when saving: without seconds, or without the zone. */
const SPREADSHEET_FORMS = [
  'M/d/yyyy( H:mm(:ss))',
  'M/d/yy( H:mm(:ss))',
  'M/d/yyyy h:mm(:ss) a',
  'd.M.yyyy( H:mm(:ss))',
  'd.M.yy( H:mm(:ss))',
  'd-MMM-yy',
];

type ReformattedPlace = {
  readonly file: string;
  readonly column: string;
  readonly cellForms: readonly string[];
};

/**
 * Reject a file whose dates a spreadsheet rewrote, since the lost parts cannot be recovered. A single original date is
 * enough to accept it.
 */
const refuseReformatted = async (
  rule: DateRule,
  rows: () => AsyncIterable<readonly TableRow[]>,
  text: (row: TableRow) => string,
  { file, column, cellForms }: ReformattedPlace,
): Promise<void> => {
  const forms = rule.forms.map(dateForm);
  const rewritten = [...SPREADSHEET_FORMS, ...cellForms].map(dateForm);
  let [count, others] = [0, 0];
  let example = '';
  for await (const batch of rows()) {
    for (const row of batch) {
      const value = text(row);
      if (value === '') continue;
      if (forms.some((form) => form(value))) return;
      if (rewritten.some((form) => form(value))) {
        count += 1;
        example ||= value;
      } else others += 1;
    }
  }
  if (count <= others) return;
  throw new ExportError(
    'E_EXPORT_DATES',
    file,
    `a spreadsheet rewrote the dates in ${column}, such as "${example}"; the export has them as ${rule.forms.join(' or ')}`,
    'Export the file again, and do not save it from a spreadsheet.',
  );
};

const declaredForm = (rule: DateRule, counted: Counted, file: string, column: string): DateRule => {
  const declared = rule.forms.length;
  const proofs = counted.proofs.slice(0, declared).some((count) => count > 0);
  const against = counted.examples.slice(declared).find((text) => text !== '');
  if (against === undefined || proofs) return rule;
  throw new ExportError(
    'E_EXPORT_DATES',
    file,
    `"${against}" in ${column} is not of the form ${rule.forms.join(' or ')}, and no date of the file proves that form`,
    'If the shop writes dates in another form, declare it in a profile of your own that extends this one.',
  );
};

const isDayFirst = (form: string): boolean => form.startsWith('d');
