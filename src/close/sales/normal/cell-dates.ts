import type { DateRule } from '../profile/locale.ts';
import type { Profile } from '../profile.ts';

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
