import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, type Money, sum, ZERO } from '../../kernel/money.ts';
import type { LedgerEntry } from './ledger-file.ts';
import type { OpenItem } from './open-items.ts';

/** Tax that the ledger should have: of a sale or a day of this period, or left over from the one before. */
export type Unit = OpenItem & { readonly isBefore: boolean };

export type MatchedEntry = { readonly entry: LedgerEntry; readonly units: readonly Unit[] };

/** What entries book, and what is left of both sides. */
export type MatchedDays = {
  readonly matched: readonly MatchedEntry[];
  readonly entries: readonly LedgerEntry[];
  readonly units: readonly Unit[];
};

/**
 * Match entries that sum up several sales: the entry of a day with the sales of the day, and that of a payout with
 * those of the days before it. Only sums that are equal to the cent match.
 */
export const matchDays = (units: readonly Unit[], entries: readonly LedgerEntry[]): MatchedDays => {
  let left = [...units].sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  const matched: MatchedEntry[] = [];
  const rest: LedgerEntry[] = [];
  const sameDay = Map.groupBy(entries, ({ date }) => date);
  const others: LedgerEntry[] = [];
  for (const [day, own] of sameDay) {
    const found = left.filter((unit) => unit.day === day && !unit.isBefore);
    const [first] = own;
    if (first && found.length > 0 && total(found) === sum(own.map(({ amount }) => amount))) {
      matched.push({ entry: first, units: found });
      left = left.filter((unit) => !found.includes(unit));
    } else others.push(...own);
  }
  for (const entry of others) {
    const run = runOf(left, entry);
    if (!run) {
      rest.push(entry);
      continue;
    }
    matched.push({ entry, units: run });
    left = left.filter((unit) => !run.includes(unit));
  }
  return { matched, entries: rest, units: left };
};

/** A payout comes this long after its sales at the most. */
const UNITS_MAX = 62;

/** Neighbours in time, none after the entry, that come to its amount; the latest of them. */
const runOf = (units: readonly Unit[], { amount, date }: LedgerEntry): readonly Unit[] | undefined => {
  const possible = units.filter(({ day }) => day <= date).slice(-UNITS_MAX);
  for (let end = possible.length; end > 0; end -= 1) {
    let running: Money = ZERO;
    for (let start = end - 1; start >= 0; start -= 1) {
      running = add(running, possible[start]?.amount ?? ZERO);
      if (running === amount) return possible.slice(start, end);
    }
  }
  return undefined;
};

const total = (units: readonly Unit[]): Money => sum(units.map(({ amount }) => amount));

/** Days that follow each other, joined. */
export const spansOf = (
  units: readonly Unit[],
): readonly { first: CalendarDate; last: CalendarDate; amount: Money }[] => {
  const spans: { first: CalendarDate; last: CalendarDate; amount: Money }[] = [];
  for (const { day, amount } of units) {
    const open = spans.at(-1);
    if (open && isNext(open.last, day)) {
      open.last = day;
      open.amount = add(open.amount, amount);
    } else spans.push({ first: day, last: day, amount });
  }
  return spans;
};

const isNext = (last: CalendarDate, day: CalendarDate): boolean =>
  Date.parse(day) - Date.parse(last) <= 86_400_000;
