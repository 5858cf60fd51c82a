import type { Detected } from './detect-profile.ts';
import { ExportError } from './export-error.ts';
import type { Profile, SalesProfile } from './profile.ts';
import type { DateRule, MoneyForm } from './profile-form.ts';
import { dateForm, dateText, exchangedForm } from './read-date.ts';
import { moneyReader } from './read-money.ts';
import { columnsOfText, rowReader } from './row-reader.ts';
import type { SaleFinding } from './sale.ts';
import { isRounded } from './sale-name.ts';
import { rowByRow, type TableRow } from './table-row.ts';

/** One or two digits after a mark show that it is the decimal mark. Three digits may be a thousands group. */
const DECIMALS = /[.,]\d{1,2}\D*$/;
const SYMBOL = /\p{Sc}/u;

/**
 * Determine the decimal mark of a file. The profile's format is used as soon as one amount can be read in it; the other
 * format is used if amounts fit only that one. Only the profile's control columns are checked, usually no further than
 * the first row.
 *
 * @returns the format for reading the amounts of this file
 * @throws {ExportError} E_EXPORT_AMOUNTS when all amounts are in a currency that the profile does not know
 */
export const proveAmounts = async (
  { locale, controls, file: form }: SalesProfile,
  header: readonly string[],
  rows: () => AsyncIterable<readonly TableRow[]>,
  file: string,
): Promise<MoneyForm> => {
  const cells = rowReader(header, form);
  const columns = controls
    .filter((column) => cells.indexOf(column) >= 0)
    .map((column) => ({ column, textOf: cells.text(column) }));
  const declared = moneyReader(locale);
  const exchanged = otherDecimal(locale);
  let other:
    | { readonly text: string; readonly column: string; readonly symbol: string | undefined }
    | undefined;
  for await (const batch of rows()) {
    for (const row of batch) {
      for (const { column, textOf } of columns) {
        const text = textOf(row);
        if (!DECIMALS.test(text)) continue;
        if (declared(text) !== undefined) return locale;
        const symbol = SYMBOL.exec(text)?.[0];
        const symbols = symbol === undefined ? locale.currencySymbols : [...locale.currencySymbols, symbol];
        const isAmount = [locale, exchanged].some(
          (form) => moneyReader({ ...form, currencySymbols: symbols })(text) !== undefined,
        );
        if (isAmount) other ??= { text, column, symbol };
      }
    }
  }
  if (other === undefined) return locale;
  if (other.symbol === undefined || locale.currencySymbols.includes(other.symbol)) return exchanged;
  throw new ExportError(
    'E_EXPORT_AMOUNTS',
    file,
    `amounts such as "${other.text}" in ${other.column} are not in ${locale.currencySymbols.join(' or ')}`,
    'Export the sales of the United States by themselves, or describe this layout in a profile of your own that extends this one: locale: { currencySymbols: [...], currency: ... }.',
  );
};

const otherDecimal = ({ group: _group, ...form }: MoneyForm): MoneyForm => ({
  ...form,
  decimal: form.decimal === '.' ? ',' : '.',
});

/**
 * Ensure that day and month are not swapped throughout a file. If the profile declares one format, a value that
 * contradicts it is accepted only if another value fits only this format. If the profile leaves it to the file, a value
 * must prove one format and none the other. Unambiguous formats must fit some date.
 *
 * @param tell called with how the format was proved, or that it was not
 * @returns the rule for reading the dates of this file
 * @throws {ExportError} E_EXPORT_DATES
 */
export const proveDates = async (
  profile: SalesProfile,
  { header, rows, delimiter }: Pick<Detected, 'header' | 'rows' | 'delimiter'>,
  file: string,
  tell: (remark: SaleFinding) => void = () => {},
): Promise<DateRule> => {
  const rule = profile.locale.date;
  const text = dateText(rule.columns, rowReader(header, profile.file));
  const column = rule.columns.map(columnsOfText).join(' and ');
  const refused = (found: string, nextStep: string) =>
    new ExportError('E_EXPORT_DATES', file, found, nextStep);
  const exchanged = rule.forms.map(exchangedForm).filter((form) => form !== undefined);
  if (!rule.provenByFile && exchanged.length === 0) {
    const other = await dateOfAnotherForm(rule, rows, text);
    if (other === undefined) return rule;
    throw refused(
      `a spreadsheet rewrote the dates in ${column}, such as "${other}"; the export has them as ${rule.forms.join(' or ')}`,
      AGAIN,
    );
  }
  const forms = rule.provenByFile
    ? rule.forms.filter((form) => rule.forms.includes(exchangedForm(form) ?? ''))
    : [...rule.forms, ...exchanged];
  const { proofs, open, seen, real } = await tally(rows, text, forms, delimiter === undefined);
  const proven = [...proofs.keys()];
  const [first] = [...proofs].find(([form]) => exchangedForm(form) !== undefined)?.[1].examples ?? [];
  if (real !== undefined && first !== undefined)
    throw refused(
      `a spreadsheet made dates of some cells in ${column}, such as ${real}, and left others as text, such as ${first}: it may have taken the day for the month`,
      `${AGAIN} If ${real} is right as it stands, enter ${first} and the other texts as dates.`,
    );
  if (!rule.provenByFile) {
    const against = proven.find((form) => !rule.forms.includes(form));
    if (against !== undefined && proven.every((form) => !rule.forms.includes(form)))
      throw refused(
        `"${proofs.get(against)?.examples[0]}" in ${column} is not of the form ${rule.forms.join(' or ')}, and no date of the file proves that form`,
        'If the shop writes dates in another form, declare it in a profile of your own that extends this one.',
      );
  } else if (new Set(proven.map(isDayFirst)).size !== 1 && proven.length + open > 0) {
    const found =
      proven.length === 0
        ? `no date in ${column} proves which of ${seen.join(' and ')} the file uses`
        : `dates in ${column} prove both ${proven.join(' and ')}, such as ${[...proofs.values()].map(({ examples }) => examples[0]).join(' and ')}`;
    const declaring = (dayFirst: boolean): string =>
      `forms: ${JSON.stringify(seen.filter((form) => isDayFirst(form) === dayFirst))}`;
    throw refused(
      found,
      `Declare the form in a profile of your own: extends: ${profile.id}, an id, and locale: { date: { provenByFile: false, ${declaring(false)} } } where the month is first, or ${declaring(true)} where the day is.`,
    );
  }
  const [only] = proven;
  // A file has a single order of day and month, whichever of its formats proves it.
  const isRefuted = (form: string): boolean =>
    only !== undefined && forms.includes(form) && isDayFirst(form) !== isDayFirst(only);
  const read = rule.provenByFile ? rule.forms.filter((form) => !isRefuted(form)) : rule.forms;
  tellProof(read, { proofs, open }, column, tell);
  return { ...rule, forms: read };
};

const AGAIN = 'Export the file again, and do not save it from a spreadsheet.';

const isDayFirst = (form: string): boolean => form.startsWith('d');

type Counted = {
  /** By format: number of values that fit only this format, and one of them. */
  readonly proofs: ReadonlyMap<string, { readonly count: number; readonly examples: readonly string[] }>;
  /** Number of values that fit several formats. */
  readonly open: number;
};

/** Tell how day and month were determined; nothing if no date was ambiguous. */
const tellProof = (
  forms: readonly string[],
  { proofs, open }: Counted,
  column: string,
  tell: (remark: SaleFinding) => void,
): void => {
  const [form, proof] = [...proofs].find(([one]) => forms.includes(one)) ?? [];
  if (proof) {
    const count = proof.count === 1 ? 'one date' : `${proof.count} dates`;
    const message = `${count} in ${column} can only be ${form}, such as ${proof.examples[0]}`;
    tell({ code: 'dates-proven', message });
  } else if (open > 0) {
    const message = `no date in ${column} proves the form; they are read as ${forms.join(' or ')}, as the profile declares`;
    tell({ code: 'dates-declared', message });
  }
};

type Rows = () => AsyncIterable<readonly TableRow[]>;

const tally = async (
  rows: Rows,
  text: (row: TableRow) => string,
  forms: readonly string[],
  isWorkbook: boolean,
): Promise<Counted & { readonly seen: readonly string[]; readonly real: string | undefined }> => {
  const fits = forms.map((form) => ({ form, read: dateForm(form) }));
  const realDates = isWorkbook ? CELL_FORMS.map(dateForm) : [];
  const proofs = new Map<string, { count: number; examples: string[] }>();
  const seen = new Set<string>();
  let open = 0;
  let [real, last]: (string | undefined)[] = [];
  for await (const row of rowByRow(rows())) {
    const value = text(row);
    if (value === '' || value === last) continue;
    last = value;
    const day = realDates.map((read) => read(value)).find((parts) => parts !== undefined);
    const fitting = day ? [] : fits.filter(({ read }) => read(value)).map(({ form }) => form);
    real ??= day?.date;
    for (const form of fitting) seen.add(form);
    const [only] = fitting;
    if (fitting.length > 1) open += 1;
    else if (only !== undefined) {
      const proof = proofs.get(only) ?? { count: 0, examples: [value] };
      proofs.set(only, { ...proof, count: proof.count + 1 });
    }
  }
  const inOrder = [...proofs].sort(([one], [other]) => forms.indexOf(one) - forms.indexOf(other));
  return { proofs: new Map(inOrder), open, seen: forms.filter((form) => seen.has(form)), real };
};

/** A date of a file in which none is of the declared forms, as a spreadsheet leaves it; its lost parts cannot be found. */
const dateOfAnotherForm = async (
  { forms }: DateRule,
  rows: Rows,
  text: (row: TableRow) => string,
): Promise<string | undefined> => {
  const readers = forms.map(dateForm);
  let other: string | undefined;
  for await (const row of rowByRow(rows())) {
    const value = text(row);
    if (readers.some((read) => read(value))) return undefined;
    if (/^\d{1,4}[-./][\dA-Z]/i.test(value)) other ??= value;
  }
  return other;
};

/** Fewer zeros than these in all ids together may be chance. */
const ZEROS_MIN = 3;

/**
 * Whether a spreadsheet has rounded the ids of a file: it keeps 15 digits of a number and writes zeros for the others.
 * One long id may end in zeros by itself, so all of them must. A file is read as far as the first other id.
 */
export const areIdsRounded = async (
  { shape: { key }, file }: SalesProfile,
  { header, rows, framingOf }: Pick<Detected, 'header' | 'rows' | 'framingOf'>,
): Promise<boolean> => {
  const idOf = rowReader(header, file).text(key[0] ?? '');
  const zeros = new Map<string, number>();
  for await (const batch of rows()) {
    for (const row of batch) {
      const id = idOf(row);
      if (id === '' || framingOf(row)) continue;
      if (!isRounded(id)) return false;
      zeros.set(id, id.length - 15);
    }
  }
  return [...zeros.values()].reduce((sum, count) => sum + count, 0) >= ZEROS_MIN;
};

/**
 * How the dates of a workbook's cells are read (`../files/cell-text.ts`), by themselves and with the time of a second
 * column beside them.
 */
const DAY = 'yyyy-MM-dd';
const TIMES = ['yyyy-MM-dd H:mm(:ss)', 'yyyy-MM-dd h:mm(:ss) a'];

export const CELL_FORMS: readonly string[] = [DAY, ...TIMES];

/** Return the profile for reading a workbook: its dates may also be real dates, which no form can mistake. */
export const withCellDates = (profile: Profile): Profile => {
  if (!('locale' in profile)) return profile;
  const { locale } = profile;
  const date = { date: withCellForms(locale.date) };
  const taxDate = 'taxDate' in locale && locale.taxDate && { taxDate: withCellForms(locale.taxDate) };
  return { ...profile, locale: { ...locale, ...date, ...taxDate } } as Profile;
};

/**
 * A cell has no zone, so one that should state its zone has lost it, unless a second column has it. A day stands alone
 * only where the export itself has days.
 */
const withCellForms = (rule: DateRule): DateRule => {
  const { forms, zone, columns } = rule;
  const suffix = zone === 'cell-offset' ? ' ZZZ' : zone === 'cell-abbreviation' ? ' zzz' : '';
  if (suffix !== '' && columns.length === 1) return rule;
  const days = suffix === '' && forms.some(isOfDay) ? [DAY] : [];
  return { ...rule, forms: [...new Set([...forms, ...days, ...TIMES.map((form) => `${form}${suffix}`)])] };
};

/** Whether a form fits a day without a time. */
const isOfDay = (form: string): boolean => !/[Hh]/.test(form.replace(/\(.*\)/, ''));
