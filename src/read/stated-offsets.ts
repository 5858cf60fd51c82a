import type { TableRow } from '../close/sales/files/table-row.ts';
import { dateText } from '../close/sales/normal/read-date.ts';
import type { DateRule } from '../close/sales/profile/locale.ts';
import type { RowReader } from '../close/sales/row-reader.ts';
import type { SaleFinding } from '../close/sales/sale.ts';
import type { Instant } from '../kernel/calendar.ts';
import { shownNumber } from '../kernel/text.ts';
import { wallTimeIn } from '../kernel/time-zones.ts';

/** UTC offsets in minutes: the one a record states, and the one of the configured zones on its day. */
export type Offsets = { readonly stated: number; readonly own: number };

/** How many records have the same two offsets. */
export type CountedOffsets = Offsets & { readonly count: number };

const HOUR = 60;
const MINUTE_MS = 60_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/** A time, followed by a UTC offset. */
const STATED = /:\d\d.*([+-])(\d\d):?(\d\d)$/;

/**
 * Reads the UTC offset that the date of a record states, with that of the configured zones. Returns `undefined` when
 * none is stated, or when it is UTC itself, which is the clock of a server and not of a shop.
 */
export const offsetReader = (
  rule: DateRule,
  read: RowReader,
  { timeZone, channelZone }: { readonly timeZone: string; readonly channelZone: string },
): ((row: TableRow, at: Instant) => Offsets | undefined) => {
  if (rule.zone !== 'cell-offset') return () => undefined;
  const textOf = dateText(rule.columns, read);
  const [own, ofChannel] = [offsetIn(timeZone), offsetIn(channelZone)];
  return (row, at) => {
    const [, sign, hours, minutes] = STATED.exec(textOf(row)) ?? [];
    const stated = (Number(hours) * HOUR + Number(minutes)) * (sign === '-' ? -1 : 1);
    if (sign === undefined || stated === 0) return undefined;
    return { stated, own: ofChannel(at) === stated ? stated : own(at) };
  };
};

/** Looking up an offset is slow, so it is cached for each quarter hour. */
const offsetIn = (zone: string): ((at: Instant) => number) => {
  const wallTime = wallTimeIn(zone);
  const remembered = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER_HOUR_MS);
    const known = remembered.get(quarter);
    if (known !== undefined) return known;
    const offset = (wallTime(at) - at) / MINUTE_MS;
    remembered.set(quarter, offset);
    return offset;
  };
};

/** Adds up the counts of several parts. */
export const addedOffsets = (counted: readonly CountedOffsets[]): readonly CountedOffsets[] => {
  const added = new Map<string, CountedOffsets>();
  for (const { stated, own, count } of counted) {
    const key = `${stated} ${own}`;
    added.set(key, { stated, own, count: (added.get(key)?.count ?? 0) + count });
  }
  return [...added.values()].sort((left, right) => right.count - left.count);
};

/**
 * Returns a finding if most records of a file state a different UTC offset from that of the seller's zone on their
 * days.
 */
export const offsetNotices = (
  counted: readonly CountedOffsets[],
  timeZone: string,
): readonly SaleFinding[] => {
  const others = counted.filter(({ stated, own }) => stated !== own);
  const [most] = others;
  const total = countOf(counted);
  const differing = countOf(others);
  if (!most || differing * 2 <= total) return [];
  const where = others.length === 1 ? '' : ', for most of them';
  const message = `${differing} of ${shownNumber(total, 'record')} ${differing === 1 ? 'states' : 'state'} the offset ${shown(most.stated)}, where ${timeZone} has ${shown(most.own)}${where}: some may count for another day or month; correct \`timeZone\`, or set it for the channel if its shop keeps another clock`;
  return [{ code: 'time-zone-differs', message }];
};

const countOf = (counted: readonly CountedOffsets[]): number =>
  counted.reduce((sum, { count }) => sum + count, 0);

/** `-07:00`. */
const shown = (minutes: number): string => {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / HOUR), Math.abs(minutes) % HOUR];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
};
