import type { SaleFinding } from '../close/sales/sale.ts';
import { addDays, type CalendarDate } from '../kernel/calendar.ts';

/** The days on which a file has records, and how many of its orders were refunded on unknown days. */
export type FileDays = { readonly days: readonly CalendarDate[]; readonly undated: number };

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
  for (const { name, undated, noRefunds } of hasCompanions ? [] : files) {
    if (noRefunds.length > 0) {
      const message = `it has no column of what was given back (${noRefunds.join(' or ')}), so that a refund of a part of an order is not seen`;
      say(name, { code: 'no-refund-column', message });
    }
    if (undated === 0) continue;
    const orders = undated === 1 ? 'one of its orders was' : `${undated} of its orders were`;
    const message = `${orders} given back, and no file says when; name one under \`refundDates\``;
    say(name, { code: 'no-refund-dates', message });
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
    const [end] = latest ? [span.last, latest.last].sort() : [];
    if (latest && end !== undefined && first < end) {
      const message = `it overlaps with ${latest.name} from ${first} to ${end}; a record in both counts once`;
      said.push({ name, remark: { code: 'files-overlap', message } });
    } else if (latest && daysBetween(latest.last, first) > usual) {
      const message = `no file has a record from ${addDays(latest.last, 1)} to ${addDays(first, -1)}; an export may be missing`;
      said.push({ name, remark: { code: 'days-missing', message } });
    }
    if (!latest || span.last > latest.last) latest = span;
  }
  return said;
};
