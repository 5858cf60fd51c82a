import {
  type CalendarDate,
  calendarDate,
  type Instant,
  instant,
  isDay,
  isWritable,
  offsetOf,
} from '../kernel/calendar.ts';
import { isTimeZone, startOfDay, type WallTime, zoneClock } from '../kernel/time-zones.ts';
import { columnsOfText, type DateRule, isChannelOr, type TextExpression } from './expression.ts';
import { ExportError } from './file-source.ts';
import type { Profile, SalesProfile } from './profile.ts';
import { type CellProblem, type RowReader, rowReader, type TextOf } from './row-reader.ts';
import { remembered, rowByRow, type TableRow } from './table-row.ts';

/** When a record happened. `wholeDay` is the day of a cell without a time, as opposed to midnight of that day. */
export type ReadDate = {
  readonly at: Instant;
  readonly wholeDay: CalendarDate | undefined;
};

export type DateZones = {
  /** The entity's zone, for days without a time. */
  readonly timeZone: string;
  /** The zone that the configuration states for the channel itself; otherwise cells have the local time of the entity's. */
  readonly statedZone?: string | undefined;
};

/**
 * Compile a reader for the dates of one file by its profile's rule. Formats are compiled and zones looked up only once.
 */
export const dateReader = (
  rule: DateRule,
  read: RowReader,
  zones: DateZones,
): ((row: TableRow) => ReadDate | CellProblem) => {
  const partsIn = firstForm(rule.forms);
  const column = rule.columns.map(columnsOfText).join(' and ');
  const text = dateText(rule.columns, read);
  const clockOf = clocks(rule, read, zones);
  const dayStart = remembered((day) => startOfDay(calendarDate(day), zones.timeZone));
  return (row) => {
    const value = text(row);
    const parts = partsIn(value);
    if (!parts) return { problem: `is not of the form ${rule.forms.join(' or ')}`, column, value };
    if (parts.wall === undefined) {
      return { at: dayStart(parts.date), wholeDay: calendarDate(parts.date) };
    }
    if (parts.offsetMs !== undefined) {
      const at = instant(parts.wall - parts.offsetMs);
      return isWritable(at)
        ? { at, wholeDay: undefined }
        : { problem: 'is not a time that can be kept', column, value };
    }
    const clock = clockOf(row);
    if (clock === undefined) return { problem: `names no known time zone beside it`, column, value };
    return { at: clock(parts.wall), wholeDay: undefined };
  };
};

/** Return a reader of the cells of a date, joined by a space. */
const dateText = (columns: readonly TextExpression[], read: RowReader): TextOf => {
  const textOf = read.texts(columns, ' ');
  return columns.length === 1 ? textOf : (row) => textOf(row).trim();
};

type Clock = (wall: number) => Instant;

const clocks = (
  { zone }: DateRule,
  read: RowReader,
  { timeZone, statedZone }: DateZones,
): ((row: TableRow) => Clock | undefined) => {
  if (zone === 'cell-offset' || zone === 'cell-abbreviation') return () => undefined;
  if (typeof zone === 'string' || isChannelOr(zone)) {
    const shown = typeof zone === 'string' ? zone : (statedZone ?? zone.channelOr);
    const clock = zoneClock(shown === 'channel' ? (statedZone ?? timeZone) : shown);
    return () => clock;
  }
  const byName = new Map(Object.entries(zone.map).map(([name, id]) => [name.toLowerCase(), id]));
  const nameOf = read.text(zone.column);
  const clockOf = remembered((name) => {
    const id = byName.get(name.toLowerCase()) ?? (name.includes('/') && isTimeZone(name) ? name : undefined);
    return id === undefined ? undefined : zoneClock(id);
  });
  return (row) => clockOf(nameOf(row));
};

/** The parsed parts of a date cell: calendar and clock values, and its offset if stated. */
type DateParts = {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `undefined` if the cell has only a day. */
  readonly wall: WallTime | undefined;
  /** The UTC offset that the cell states. */
  readonly offsetMs: number | undefined;
};

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const HOUR_MS = 3_600_000;

/**
 * UTC offsets of US zone abbreviations, in hours. Each is a fixed offset; whether standard or daylight time applies is
 * the writer's choice.
 */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  PST: -8,
  PDT: -7,
  MST: -7,
  MDT: -6,
  CST: -6,
  CDT: -5,
  EST: -5,
  EDT: -4,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  UTC: 0,
  GMT: 0,
};

const TOKENS: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  yy: '(?<year>\\d{2})',
  MMMM: '(?<name>[A-Za-z]+)',
  MMM: '(?<name>[A-Za-z]{3})\\.?',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{2})',
  d: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  hh: '(?<hour>\\d{2})',
  h: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})(?:\\.\\d+)?',
  a: '(?<half>[AaPp])\\.?[Mm]\\.?',
  ZZZ: '(?<offset>Z|UTC|[+-]\\d{2}:?\\d{2})',
  zzz: '(?<zone>[A-Z]{3,4})',
};
const TOKEN = new RegExp(`${Object.keys(TOKENS).join('|')}|[()]|[^A-Za-z]|[A-Za-z]`, 'g');

/** Compile a reader of one date format; it returns `undefined` for other formats and invalid dates. */
export const dateForm = (form: string): ((text: string) => DateParts | undefined) => {
  const pattern = new RegExp(`^${patternOf(form)}$`);
  return (text) => {
    const groups = pattern.exec(text)?.groups;
    return groups && partsOf(numbersOf(groups));
  };
};

/** Compile a reader of dates in several formats; the first that fits is used, `undefined` if none does. */
const firstForm = (forms: readonly string[]): ReturnType<typeof dateForm> => {
  const readers = forms.map(dateForm);
  return (text) => {
    for (const read of readers) {
      const parts = read(text);
      if (parts) return parts;
    }
    return undefined;
  };
};

/** Compile a reader of days in several formats. */
export const dayForms = (forms: readonly string[]): ((text: string) => CalendarDate | undefined) => {
  const partsIn = firstForm(forms);
  return (text) => {
    const parts = partsIn(text);
    return parts && calendarDate(parts.date);
  };
};

const patternOf = (form: string): string =>
  (form.match(TOKEN) ?? [])
    .map((token) => {
      if (token === '(') return '(?:';
      if (token === ')') return ')?';
      if (token === ' ') return '\\s+';
      return TOKENS[token] ?? token.replace(/[.*+?^$[\]\\/{}|]/, '\\$&');
    })
    .join('');

type Numbers = ReturnType<typeof numbersOf>;

const partsOf = ({ year, month, day, hour, minute, second, offsetMs }: Numbers): DateParts | undefined => {
  if (!isDay(year, month, day) || Number.isNaN(offsetMs)) return undefined;
  const date = `${year}-${padded(month)}-${padded(day)}`;
  if (hour === undefined) return { date, wall: undefined, offsetMs };
  if (!(hour <= 23) || minute > 59 || second > 59) return undefined;
  return { date, wall: Date.UTC(year, month - 1, day, hour, minute, second), offsetMs };
};

const padded = (value: number): string => (value < 10 ? `0${value}` : String(value));

type Groups = Readonly<Record<string, string | undefined>>;

/** The numbers in a cell; `NaN` for an invalid hour or offset. */
const numbersOf = (groups: Groups) => ({
  year: yearOf(groups['year'] ?? ''),
  month: groups['name'] === undefined ? Number(groups['month']) : monthOf(groups['name']),
  day: Number(groups['day']),
  hour: groups['hour'] === undefined ? undefined : hourOf(Number(groups['hour']), groups['half']),
  minute: Number(groups['minute'] ?? 0),
  second: Number(groups['second'] ?? 0),
  offsetMs: statedOffset(groups),
});

/** A year of two digits is one of 1970 to 2069. */
const yearOf = (digits: string): number => {
  if (digits.length !== 2) return Number(digits);
  return Number(digits) + (Number(digits) < 70 ? 2000 : 1900);
};

const monthOf = (name: string): number => {
  const given = name.toLowerCase();
  return MONTHS.findIndex((month) => month === given || (given.length === 3 && month.startsWith(given))) + 1;
};

/** Convert to 24 hours: noon is 12 PM, and midnight 12 AM. */
const hourOf = (hour: number, half: string | undefined): number => {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
};

const statedOffset = ({ offset, zone }: Groups): number | undefined => {
  if (zone !== undefined) return (ABBREVIATIONS[zone] ?? Number.NaN) * HOUR_MS;
  return offset === undefined ? undefined : (offsetOf(offset.replace('UTC', 'Z')) ?? Number.NaN);
};

/** The format with day and month swapped; `undefined` if it has month names or starts with the year. */
const exchangedForm = (form: string): string | undefined => {
  if (/MMM/.test(form) || /^yy/.test(form)) return undefined;
  const parts = /^(M+|d+)([^A-Za-z]+)(M+|d+)(.*)$/s.exec(form);
  if (!parts) return undefined;
  const [, first = '', between = '', second = '', rest = ''] = parts;
  return `${second}${between}${first}${rest}`;
};

/**
 * How the dates of a workbook's cells are read (`read-workbook.ts`), by themselves and with the time of a second
 * column beside them.
 */
const DAY = 'yyyy-MM-dd';
const TIMES = ['yyyy-MM-dd H:mm(:ss)', 'yyyy-MM-dd h:mm(:ss) a'];

const CELL_FORMS: readonly string[] = [DAY, ...TIMES];

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

/** The rows below a header. */
type ReadTable = {
  readonly header: readonly string[];
  readonly rows: () => AsyncIterable<readonly TableRow[]>;
  readonly isWorkbook: boolean;
};

/**
 * Ensure that day and month are not swapped throughout a file. If the profile declares their order, a value of the other
 * one is accepted only beside a value of the declared one. If the profile leaves it to the file, values must prove one
 * order and none the other.
 *
 * @returns the profile with the rule for reading the dates of this file
 * @throws {ExportError} E_EXPORT_DATES
 */
export const provenProfile = async (
  profile: SalesProfile,
  { header, rows, isWorkbook }: ReadTable,
  file: string,
): Promise<SalesProfile> => {
  const rule = profile.locale.date;
  const exchanged = rule.forms.flatMap((form) => exchangedForm(form) ?? []);
  // Nothing but day and month can be taken for one another.
  if (exchanged.length === 0) return profile;
  const declared = new Set(rule.forms.map(orderOf));
  const text = dateText(rule.columns, rowReader(header, profile.file));
  const forms = [...new Set([...rule.forms, ...exchanged])];
  const readers = forms.map((form) => ({ order: orderOf(form), read: dateForm(form) }));
  const realDates = isWorkbook ? CELL_FORMS.map(dateForm) : [];
  // By order: a value that fits forms of this order only.
  const proofs = new Map<Order, string>();
  // Whether a value fits forms of both orders, and a cell of a workbook that is a date itself.
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
      if (!rule.provenByFile && !isWorkbook && declared.has(only)) break;
    }
  }
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
    if (proven === undefined || declared.has(proven) || other !== undefined) return profile;
    throw refused(
      `"${first}" in ${column} is not of the form ${rule.forms.join(' or ')}, and no date of the file proves that form`,
      'If the shop writes dates in another form, declare it in a profile of your own that extends this one.',
    );
  }
  if (other !== undefined || (first === undefined && isOpen)) {
    const ordered = (order: Order): string =>
      `forms: ${JSON.stringify(rule.forms.filter((form) => orderOf(form) === order))}`;
    throw refused(
      other === undefined
        ? `no date in ${column} proves whether the day or the month is first`
        : `some dates in ${column} have the day first, and others the month, such as ${first} and ${other}`,
      `Declare the form in your profile, or in one of your own that extends ${profile.id}: locale: { date: { provenByFile: false, ${ordered('month')} } } where the month is first, or ${ordered('day')} where the day is.`,
    );
  }
  const date = {
    ...rule,
    forms: rule.forms.filter((form) => [undefined, proven ?? orderOf(form)].includes(orderOf(form))),
  };
  return { ...profile, locale: { ...profile.locale, date } };
};

type Order = 'day' | 'month';

/** What a form has first, day or month; `undefined` where no one can take the one for the other. */
const orderOf = (form: string): Order | undefined =>
  exchangedForm(form) === undefined ? undefined : form.startsWith('d') ? 'day' : 'month';
