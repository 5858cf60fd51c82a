import type { Detected } from './detect-profile.ts';
import { ExportError } from './export-error.ts';
import { columnsOfText, type DateRule } from './expression.ts';
import type { SalesProfile } from './profile.ts';
import { CELL_FORMS, DAY, dateForm, dateText, exchangedForm } from './read-date.ts';
import { rowReader } from './row-reader.ts';
import { rowByRow, type TableRow } from './table-row.ts';

/**
 * Return the profile with the format of dates that the file's own values prove.
 *
 * @throws {ExportError} E_EXPORT_DATES when they prove none, or contradict the profile
 */
export const provenProfile = async (
  profile: SalesProfile,
  read: Pick<Detected, 'header' | 'rows' | 'delimiter'>,
  file: string,
): Promise<SalesProfile> => {
  const { locale } = profile;
  return { ...profile, locale: { ...locale, date: await proveDates(profile, read, file) } };
};

/**
 * Ensure that day and month are not swapped throughout a file. If the profile declares their order, a value of the other
 * one is accepted only beside a value of the declared one. If the profile leaves it to the file, values must prove one
 * order and none the other.
 *
 * @returns the rule for reading the dates of this file
 * @throws {ExportError} E_EXPORT_DATES
 */
const proveDates = async (
  profile: SalesProfile,
  { header, rows, delimiter }: Pick<Detected, 'header' | 'rows' | 'delimiter'>,
  file: string,
): Promise<DateRule> => {
  const rule = profile.locale.date;
  const exchanged = rule.forms.flatMap((form) => exchangedForm(form) ?? []);
  // Nothing but day and month can be taken for one another.
  if (exchanged.length === 0) return rule;
  const declared = new Set(rule.forms.map(orderOf));
  const isWorkbook = delimiter === undefined;
  const found = await datesIn(rows, dateText(rule.columns, rowReader(header, profile.file)), {
    forms: [...new Set([...rule.forms, ...exchanged])],
    isWorkbook,
    isEnough: (order) => !rule.provenByFile && !isWorkbook && declared.has(order),
  });
  const { proofs, real } = found;
  const [[proven, first] = [], [, other] = []] = [...proofs].sort(([left], [right]) =>
    left < right ? -1 : 1,
  );
  const column = rule.columns.map(columnsOfText).join(' and ');
  const refused = (what: string, nextStep: string) => new ExportError('E_EXPORT_DATES', file, what, nextStep);
  if (real !== undefined && first !== undefined)
    throw refused(
      `a spreadsheet made dates of some cells in ${column}, such as ${real}, and left others as text, such as ${first}: it may have taken the day for the month`,
      `Export the file again, and do not save it from a spreadsheet. If ${real} is right as it stands, enter ${first} and the other texts as dates.`,
    );
  if (!rule.provenByFile) {
    if (proven === undefined || declared.has(proven) || other !== undefined) return rule;
    throw refused(
      `"${first}" in ${column} is not of the form ${rule.forms.join(' or ')}, and no date of the file proves that form`,
      'If the shop writes dates in another form, declare it in a profile of your own that extends this one.',
    );
  }
  if (other !== undefined || (first === undefined && found.isOpen)) {
    const ordered = (order: Order): string =>
      `forms: ${JSON.stringify(rule.forms.filter((form) => orderOf(form) === order))}`;
    throw refused(
      other === undefined
        ? `no date in ${column} proves whether the day or the month is first`
        : `some dates in ${column} have the day first, and others the month, such as ${first} and ${other}`,
      `Declare the form in your profile, or in one of your own that extends ${profile.id}: locale: { date: { provenByFile: false, ${ordered('month')} } } where the month is first, or ${ordered('day')} where the day is.`,
    );
  }
  const forms = rule.forms.filter((form) => [undefined, proven ?? orderOf(form)].includes(orderOf(form)));
  return { ...rule, forms };
};

type Order = 'day' | 'month';

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

type Tried = {
  readonly forms: readonly string[];
  readonly isWorkbook: boolean;
  /** Whether a value of this order makes all others needless. */
  readonly isEnough: (order: Order) => boolean;
};

const datesIn = async (
  rows: Detected['rows'],
  text: (row: TableRow) => string,
  { forms, isWorkbook, isEnough }: Tried,
): Promise<Dates> => {
  const readers = forms.map((form) => ({ order: orderOf(form), read: dateForm(form) }));
  const realDates = isWorkbook ? CELL_FORMS.map(dateForm) : [];
  const proofs = new Map<Order, string>();
  let isOpen = false;
  let real: string | undefined;
  for await (const row of rowByRow(rows())) {
    const value = text(row);
    if (value !== '' && realDates.some((read) => read(value))) {
      real ??= value.slice(0, DAY.length);
      continue;
    }
    const orders = new Set(readers.flatMap(({ order, read }) => (order && read(value) ? [order] : [])));
    const [only] = orders;
    if (orders.size > 1) isOpen = true;
    else if (only !== undefined) {
      if (!proofs.has(only)) proofs.set(only, value);
      if (isEnough(only)) break;
    }
  }
  return { proofs, isOpen, real };
};
