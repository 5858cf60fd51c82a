import { addDays, type CalendarDate } from '../kernel/calendar.ts';
import { ExportError } from '../sales/export-error.ts';
import type { SalesProfile } from '../sales/profile.ts';
import type { ReadGroup } from '../sales/read-export.ts';
import type { SaleFinding } from '../sales/sale.ts';
import type { ColumnMeter, Passed } from './control-figures.ts';

/** Notes on a file from its rows and records. */
export type FileNotes = Passed & {
  /** The days on which it has records. */
  readonly days: readonly CalendarDate[];
  readonly notices: readonly SaleFinding[];
};

/** The code of records that fail the arithmetic of their file. */
const UNEQUAL = 'total-differs';

/** Fewer records than the first, or than the second where they are few of all, may be wrong by themselves. */
const UNEQUAL_MAX = 20;
const UNEQUAL_FEW = 10;

/** Takes notes on a file while its rows pass and its records are read. `place` is the file, for messages. */
export const noteTaker = ({ pass, passed }: ColumnMeter, profile: SalesProfile, place: string) => {
  const days = new Set<CalendarDate>();
  let records = 0;
  const unequal: string[] = [];
  const see = ({ group, record }: ReadGroup): void => {
    if ('outcome' in record) {
      if (record.businessDate !== null) days.add(record.businessDate);
      return;
    }
    const { businessDate, findings, origin } = record.sale;
    records += 1;
    const wrong = findings.find(({ code }) => code === UNEQUAL);
    if (wrong) unequal.push(`${group.name} on line ${origin.line}, where ${wrong.message}`);
    days.add(businessDate);
  };
  /** @throws {ExportError} E_EXPORT_AMOUNTS if too many records do not add up: it is not written as its profile reads it */
  const end = (): FileNotes => {
    const isPart = unequal.length >= UNEQUAL_FEW && unequal.length * 100 > records;
    if (unequal.length > UNEQUAL_MAX || isPart)
      throw new ExportError(
        'E_EXPORT_AMOUNTS',
        place,
        `${unequal.length} of its ${records} records do not add up as ${profile.id} says, such as this one: ${unequal[0]}`,
        'Compare the record with the shop. If the file was edited, export it again. If the record is right, write how this file adds up into a profile of your own that extends this one (docs/source-profiles.md, “What a file adds up to”).',
      );
    const all = passed();
    return { ...all, days: [...days], notices: noRowsNotice(all.whole.rows) };
  };
  return { pass, see, end };
};

/** Returns the finding on a file without rows. */
export const noRowsNotice = (rows: number): readonly SaleFinding[] =>
  rows === 0 ? [{ code: 'no-rows', message: 'it has a header and no rows' }] : [];

type DatedFile = Pick<FileNotes, 'days'> & { readonly path: string };

const DAY_MS = 86_400_000;

/** This many days without a sale are not unusual in any shop. */
const QUIET_DAYS = 3;

/**
 * Returns findings on days that no file of a channel has although earlier and later files do, by the path of the later
 * one. A shop that often pauses may well have paused between two files.
 *
 * @param files of one profile
 */
export const missingDays = (files: readonly DatedFile[]): ReadonlyMap<string, SaleFinding> => {
  const found = new Map<string, SaleFinding>();
  const spans = files.map(({ path, days }) => ({ path, days: days.toSorted() }));
  spans.sort((one, other) => ((one.days[0] ?? '') < (other.days[0] ?? '') ? -1 : 1));
  const between = (from: CalendarDate, to: CalendarDate): number =>
    Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  const pauses = spans.flatMap(({ days }) =>
    days.slice(1).map((day, index) => between(days[index] ?? day, day)),
  );
  const usual = Math.max(QUIET_DAYS, ...pauses);
  let latest: CalendarDate | undefined;
  for (const { path, days } of spans) {
    const [first] = days;
    if (latest && first && between(latest, first) > usual) {
      const message = `no file has a record from ${addDays(latest, 1)} to ${addDays(first, -1)}; an export may be missing`;
      found.set(path, { code: 'days-missing', message });
    }
    latest = [latest ?? '', days.at(-1) ?? ''].sort()[1] as CalendarDate;
  }
  return found;
};
