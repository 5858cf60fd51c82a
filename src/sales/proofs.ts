import type { Detected } from './detect-profile.ts';
import { ExportError } from './export-error.ts';
import { columnsOfText, type DateRule } from './expression.ts';
import type { SalesProfile } from './profile.ts';
import { CELL_FORMS, DAY, dateForm, dateText, exchangedForm } from './read-date.ts';
import { moneyReader, rowReader } from './row-reader.ts';
import { isRounded } from './sale-name.ts';
import { rowByRow, type TableRow } from './table-row.ts';

/** One or two digits after a mark show that it is the decimal mark. Three digits may be a thousands group. */
const DECIMALS = /\d[.,]\d{1,2}\D*$/;

/**
 * Refuse a file none of whose amounts is written as the profile says, such as one with commas before the cents. Only the
 * profile's control columns are checked, usually no further than the first row.
 *
 * @throws {ExportError} E_EXPORT_AMOUNTS
 */
export const refuseOtherAmounts = async (
  { locale, controls, file: form }: SalesProfile,
  { header, rows }: Pick<Detected, 'header' | 'rows'>,
  file: string,
): Promise<void> => {
  const cells = rowReader(header, form);
  const columns = controls
    .filter((column) => cells.indexOf(column) >= 0)
    .map((column) => ({ column, textOf: cells.text(column) }));
  const amountOf = moneyReader(locale);
  let other: string | undefined;
  for await (const row of rowByRow(rows())) {
    for (const { column, textOf } of columns) {
      const text = textOf(row);
      if (!DECIMALS.test(text)) continue;
      if (amountOf(text) !== undefined) return;
      other ??= `"${text}" in ${column}`;
    }
  }
  if (other === undefined) return;
  throw new ExportError(
    'E_EXPORT_AMOUNTS',
    file,
    `amounts such as ${other} are not in ${locale.currencySymbols.join(' or ')} with "${locale.decimal}" before the cents`,
    'Export the sales of the United States by themselves, or describe this layout in a profile of your own that extends this one: locale: { decimal: ",", currencySymbols: [...], currency: ... }.',
  );
};

/**
 * Ensure that day and month are not swapped throughout a file. If the profile declares their order, a value of the other
 * one is accepted only beside a value of the declared one. If the profile leaves it to the file, values must prove one
 * order and none the other.
 *
 * @returns the rule for reading the dates of this file
 * @throws {ExportError} E_EXPORT_DATES
 */
export const proveDates = async (
  profile: SalesProfile,
  { header, rows, delimiter }: Pick<Detected, 'header' | 'rows' | 'delimiter'>,
  file: string,
): Promise<DateRule> => {
  const rule = profile.locale.date;
  const column = rule.columns.map(columnsOfText).join(' and ');
  const refused = (found: string, nextStep: string) =>
    new ExportError('E_EXPORT_DATES', file, found, nextStep);
  const text = dateText(rule.columns, rowReader(header, profile.file));
  const exchanged = rule.forms.flatMap((form) => exchangedForm(form) ?? []);
  // Nothing but day and month can be taken for one another.
  if (exchanged.length === 0) return rule;
  const forms = [...new Set([...rule.forms, ...exchanged])];
  const declared = new Set(rule.forms.map(orderOf));
  const isWorkbook = delimiter === undefined;
  const found = await datesIn(rows, text, forms, {
    isWorkbook,
    isEnough: (order) => !rule.provenByFile && !isWorkbook && declared.has(order),
  });
  const { proofs, real } = found;
  const [first, other] = ORDERS.flatMap((order) => proofs.get(order) ?? []);
  if (real !== undefined && first !== undefined)
    throw refused(
      `a spreadsheet made dates of some cells in ${column}, such as ${real}, and left others as text, such as ${first}: it may have taken the day for the month`,
      `Export the file again, and do not save it from a spreadsheet. If ${real} is right as it stands, enter ${first} and the other texts as dates.`,
    );
  if (!rule.provenByFile) {
    if (
      first !== undefined &&
      other === undefined &&
      ![...proofs.keys()].some((order) => declared.has(order))
    )
      throw refused(
        `"${first}" in ${column} is not of the form ${rule.forms.join(' or ')}, and no date of the file proves that form`,
        'If the shop writes dates in another form, declare it in a profile of your own that extends this one.',
      );
    return rule;
  }
  const ordered = (order: Order): string =>
    `forms: ${JSON.stringify(rule.forms.filter((form) => orderOf(form) === order))}`;
  if (other !== undefined || (first === undefined && found.isOpen))
    throw refused(
      other === undefined
        ? `no date in ${column} proves whether the day or the month is first`
        : `some dates in ${column} have the day first, and others the month, such as ${first} and ${other}`,
      `Declare the form in a profile of your own: extends: ${profile.id}, an id, and locale: { date: { provenByFile: false, ${ordered('month')} } } where the month is first, or ${ordered('day')} where the day is.`,
    );
  const [proven] = proofs.keys();
  const isRefuted = (form: string): boolean =>
    proven !== undefined && orderOf(form) !== undefined && orderOf(form) !== proven;
  return { ...rule, forms: rule.forms.filter((form) => !isRefuted(form)) };
};

type Order = 'day' | 'month';
const ORDERS: readonly Order[] = ['day', 'month'];

/** What a form has first, day or month; `undefined` where no one can take the one for the other. */
const orderOf = (form: string): Order | undefined =>
  exchangedForm(form) === undefined ? undefined : form.startsWith('d') ? 'day' : 'month';

/** What the dates of a file prove. */
type Dates = {
  /** By order: a value that fits forms of this order only. */
  readonly proofs: ReadonlyMap<Order, string>;
  /** Whether a value fits forms of both orders. */
  readonly isOpen: boolean;
  /** A cell of a workbook that is a date itself. */
  readonly real: string | undefined;
};

const datesIn = async (
  rows: Detected['rows'],
  text: (row: TableRow) => string,
  forms: readonly string[],
  { isWorkbook, isEnough }: { readonly isWorkbook: boolean; readonly isEnough: (order: Order) => boolean },
): Promise<Dates> => {
  const readers = forms.map((form) => ({ order: orderOf(form), read: dateForm(form) }));
  const realDates = isWorkbook ? CELL_FORMS.map(dateForm) : [];
  const proofs = new Map<Order, string>();
  let isOpen = false;
  let [real, last]: (string | undefined)[] = [];
  for await (const row of rowByRow(rows())) {
    const value = text(row);
    if (value === '' || value === last) continue;
    last = value;
    const fitting = readers.filter(({ read }) => read(value));
    if (realDates.some((read) => read(value))) {
      real ??= value.slice(0, DAY.length);
      continue;
    }
    const orders = new Set(fitting.flatMap(({ order }) => order ?? []));
    const [only] = orders;
    if (orders.size > 1) isOpen = true;
    else if (only !== undefined && !proofs.has(only)) proofs.set(only, value);
    if (orders.size === 1 && only !== undefined && isEnough(only)) break;
  }
  return { proofs, isOpen, real };
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
