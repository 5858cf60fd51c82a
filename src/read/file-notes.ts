import { addDays, type CalendarDate, type Instant } from '../kernel/calendar.ts';
import { shownNumber } from '../kernel/text.ts';
import { wallTimeIn } from '../kernel/time-zones.ts';
import { ExportError } from '../sales/export-error.ts';
import type { DateRule } from '../sales/expression.ts';
import type { SalesProfile } from '../sales/profile.ts';
import { dateText } from '../sales/read-date.ts';
import type { ReadGroup } from '../sales/read-export.ts';
import { businessPlace } from '../sales/read-ship-to.ts';
import type { RowReader } from '../sales/row-reader.ts';
import type { SaleFinding } from '../sales/sale.ts';
import type { TableRow } from '../sales/table-row.ts';
import type { ColumnMeter, Passed } from './control-figures.ts';

/** Notes on a file from its rows and records. */
export type FileNotes = Passed &
  FileDays & {
    /** The places of business that its records name. */
    readonly places: readonly string[];
    readonly offsets: StatedOffsets;
    readonly arithmetic: Arithmetic;
  };

/** Takes notes on a file while its rows pass and its records are read. */
export const noteTaker = (
  { pass, passed }: ColumnMeter,
  { map, locale }: Pick<SalesProfile, 'map' | 'locale'>,
  cells: RowReader,
  zones: Zones,
) => {
  const placeOf = businessPlace(map, cells);
  const isOwnOffset = offsetReader(locale.date, cells, zones);
  const days = new Set<CalendarDate>();
  const places = new Set<string>();
  const offsets: StatedOffsets = { days: 0, others: 0 };
  const arithmetic = { records: 0, failed: 0, first: '' };
  const see = ({ group, record }: ReadGroup): void => {
    if ('outcome' in record) {
      if (record.businessDate !== null) days.add(record.businessDate);
      return;
    }
    const { instant, businessDate, findings } = record.sale;
    const [first] = group.rows;
    const unequal = findings.find(({ code }) => code === UNEQUAL);
    arithmetic.records += 1;
    if (unequal) {
      arithmetic.failed += 1;
      arithmetic.first ||= `${group.name} on line ${first?.line}, where ${unequal.message}`;
    }
    // One record a day is enough: a zone changes its offset twice a year.
    const isOwn = first && !days.has(businessDate) ? isOwnOffset(first, instant) : undefined;
    if (isOwn !== undefined) offsets.days += 1;
    if (isOwn === false) offsets.others += 1;
    days.add(businessDate);
    // A row of sums, or of something that is not a sale, may contain any name, and is not looked at.
    for (const row of group.rows) places.add(placeOf(row));
  };
  const notes = (): FileNotes => ({
    ...passed(),
    days: [...days],
    places: [...places].filter((place) => place !== '').sort(),
    offsets,
    arithmetic,
  });
  return { pass, see, notes };
};

export type NoteTaker = ReturnType<typeof noteTaker>;

/** The code of records that fail the arithmetic of their file. */
const UNEQUAL = 'total-differs';

/** How many records a file has, how many of them do not add up, and what the first of these says. */
type Arithmetic = { readonly records: number; readonly failed: number; readonly first: string };

/** Fewer records than the first, or than the second where they are few of all, may be wrong by themselves. */
const UNEQUAL_MAX = 20;
const UNEQUAL_FEW = 10;

/**
 * Refuse a file of which too many records do not add up: then it is not written as its profile reads it.
 *
 * @throws {ExportError} E_EXPORT_AMOUNTS
 */
export const refuseUnequal = (
  { records, failed, first }: Arithmetic,
  place: string,
  profile: string,
): void => {
  const isPart = failed >= UNEQUAL_FEW && failed * 100 > records;
  if (failed <= UNEQUAL_MAX && !isPart) return;
  throw new ExportError(
    'E_EXPORT_AMOUNTS',
    place,
    `${failed} of its ${records} records do not add up as ${profile} says, such as this one: ${first}`,
    'Compare the record with the shop. If the file was edited, export it again. If the record is right, write how this file adds up into a profile of your own that extends this one (docs/source-profiles.md, “What a file adds up to”).',
  );
};

/** Returns the finding on a file without rows. */
export const noRowsNotice = (rows: number): readonly SaleFinding[] =>
  rows === 0 ? [{ code: 'no-rows', message: 'it has a header and no rows' }] : [];

/** Returns the findings on a file from its rows and records. */
export const noticesOf = ({ offsets, whole }: FileNotes, timeZone: string): readonly SaleFinding[] => [
  ...offsetNotices(offsets, timeZone),
  ...noRowsNotice(whole.rows),
];

/** The days on which a file has records. */
export type FileDays = { readonly days: readonly CalendarDate[] };

type DatedFile = FileDays & {
  readonly name: string;
  readonly profile: string;
  /** The columns of what was given back, if the file has none of them. */
  readonly noRefunds: readonly string[];
};

/**
 * Returns findings on the days of a channel's files together, by file: days that two files contain, days that none
 * contains, refunds without a known day, and columns of refunds that are missing.
 */
export const dayNotices = (
  files: readonly DatedFile[],
  hasCompanions: boolean,
): ReadonlyMap<string, readonly SaleFinding[]> => {
  const notices = new Map<string, SaleFinding[]>();
  const say = (name: string, remark: SaleFinding): void => {
    notices.set(name, [...(notices.get(name) ?? []), remark]);
  };
  for (const { name, noRefunds } of hasCompanions ? [] : files) {
    if (noRefunds.length > 0) {
      const message = `it has no column of what was given back (${noRefunds.join(' or ')}), so that a refund of a part of an order is not seen`;
      say(name, { code: 'no-refund-column', message });
    }
  }
  for (const profile of new Set(files.map((file) => file.profile))) {
    const spans = files.filter((file) => file.profile === profile).flatMap(spanOf);
    for (const { name, remark } of besides(spans.sort((left, right) => (left.first < right.first ? -1 : 1))))
      say(name, remark);
  }
  return notices;
};

type Span = {
  readonly name: string;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
  /** The most days between two consecutive days in the file. */
  readonly pause: number;
};

const spanOf = ({ name, days }: DatedFile): readonly Span[] => {
  const sorted = [...days].sort();
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return [];
  const pauses = sorted.slice(1).map((day, index) => daysBetween(sorted[index] ?? day, day));
  return [{ name, first, last, pause: Math.max(0, ...pauses) }];
};

const DAY_MS = 86_400_000;
const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** This many days without a sale are not unusual in any shop. */
const QUIET_DAYS = 3;

/**
 * Compares consecutive spans. A shop that often pauses may well have paused between two files. A file that ends at
 * midnight in another time zone shares a day with the next one.
 */
const besides = (
  spans: readonly Span[],
): readonly { readonly name: string; readonly remark: SaleFinding }[] => {
  const usual = Math.max(QUIET_DAYS, ...spans.map(({ pause }) => pause));
  const said: { name: string; remark: SaleFinding }[] = [];
  let latest: Span | undefined;
  for (const span of spans) {
    const { name, first } = span;
    if (latest && daysBetween(latest.last, first) > usual) {
      const message = `no file has a record from ${addDays(latest.last, 1)} to ${addDays(first, -1)}; an export may be missing`;
      said.push({ name, remark: { code: 'days-missing', message } });
    }
    if (!latest || span.last > latest.last) latest = span;
  }
  return said;
};

/** How many days have records that state a UTC offset, and how many of them another one than the zones have. */
type StatedOffsets = { days: number; others: number };

const HOUR = 60;
const MINUTE_MS = 60_000;

/** A time, followed by a UTC offset. */
const STATED = /:\d\d.*([+-])(\d\d):?(\d\d)$/;

/**
 * Tells whether the date of a record states the UTC offset of a configured zone; `undefined` when it states none, or UTC
 * itself, which is the clock of a server and not of a shop.
 */
const offsetReader = (
  rule: DateRule,
  read: RowReader,
  { timeZone, channelZone }: Zones,
): ((row: TableRow, at: Instant) => boolean | undefined) => {
  if (rule.zone !== 'cell-offset') return () => undefined;
  const textOf = dateText(rule.columns, read);
  const [own, ofChannel] = [offsetIn(timeZone), offsetIn(channelZone)];
  return (row, at) => {
    const [, sign, hours, minutes] = STATED.exec(textOf(row)) ?? [];
    const stated = (Number(hours) * HOUR + Number(minutes)) * (sign === '-' ? -1 : 1);
    if (sign === undefined || stated === 0) return undefined;
    return ofChannel(at) === stated || own(at) === stated;
  };
};

type Zones = { readonly timeZone: string; readonly channelZone: string };

const offsetIn = (zone: string): ((at: Instant) => number) => {
  const wallTime = wallTimeIn(zone);
  return (at) => (wallTime(at) - at) / MINUTE_MS;
};

/**
 * Returns a finding if the records of most days of a file state a different UTC offset from that of the seller's zone on their
 * days.
 */
const offsetNotices = ({ days, others }: StatedOffsets, timeZone: string): readonly SaleFinding[] => {
  if (others * 2 <= days) return [];
  const message = `the dates of ${others} of ${shownNumber(days, 'day')} state another offset than ${timeZone} has: some may count for another day or month; correct \`timeZone\`, or set it for the channel if its shop keeps another clock`;
  return [{ code: 'time-zone-differs', message }];
};
