import type { CalendarDate } from '../../kernel/calendar.ts';
import { add, formatMoney, type Money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { LedgerEntry } from './ledger-file.ts';
import { emptyGroup, type GroupSales, type LedgerSales } from './ledger-sales.ts';
import type { LedgerCause, OpenItem } from './open-items.ts';
import { documentOf, entriesByName, entriesOfAmount, plainName } from './sale-entries.ts';
import { causeOf, textOf } from './settle-returns.ts';

type SalesGiven = {
  readonly group: string;
  readonly period: FilingPeriod;
  readonly sales: LedgerSales;
  /** Entries of the group that book tax of sales, including those outside the period. */
  readonly entries: readonly LedgerEntry[];
  /** Open items of the previous period. */
  readonly items: readonly OpenItem[];
};

/** Why the tax collected differs from the ledger, and the items that stay open for the next period. */
type SettledSales = { readonly causes: readonly LedgerCause[]; readonly open: readonly OpenItem[] };

export const settleSales = (given: SalesGiven): SettledSales => {
  const { group, period, sales, items } = given;
  const own = sales.groups.get(group) ?? emptyGroup();
  const free = given.entries.filter((entry) => !sales.taken.has(entry));
  const inPeriod = free.filter(({ date }) => isWithin(period, date));
  const later = free.filter(({ date }) => date > period.last);
  const before = items.map((item): Unit => ({ ...item, isBefore: true }));
  const current = unitsOf(group, own);
  const late = lateItems(own, period);
  const isOneSum = own.matched === 0 && items.length === 0 && amountOf(current) === amountOf(inPeriod);
  if (isOneSum) return { causes: own.causes, open: late };

  const named = matchNames(before, inPeriod, sales);
  const rest = matchDays([...named.units, ...current], named.entries);
  const now = { ...rest, matched: [...named.matched, ...rest.matched] };
  const next = matchDays(
    now.units.filter(({ isBefore }) => !isBefore),
    later,
  );
  const at = { group, line: 'collected' } as const;
  const causes: LedgerCause[] = [...own.causes];
  for (const { entry, booked, units } of now.matched) {
    const earlier = units.filter(({ isBefore }) => isBefore);
    if (earlier.length === 0) continue;
    const what = `${daysText(earlier)} was collected before the period and is posted on ${entry.date}${textOf(entry)}`;
    causes.push(causeOf({ ...at, cause: 'other-month' }, negate(amountOf(earlier)), what, entry));
    const difference = subtract(amountOf(units), booked);
    if (difference === ZERO) continue;
    const other = `${daysText(units)} is another amount than its entry on ${entry.date}${textOf(entry)} has`;
    causes.push(causeOf({ ...at, cause: 'other-amount' }, difference, other, entry));
  }
  for (const { entry, units } of next.matched) {
    const what = `${daysText(units)} is posted on ${entry.date}${textOf(entry)}`;
    causes.push(causeOf({ ...at, cause: 'other-month' }, amountOf(units), what, entry));
  }
  // A ledger that books by sale or by day shows what is missing. A single monthly total does not.
  const isDetailed = own.matched > 0 || now.matched.length > 0;
  const strangers = strangersOf(given, own, now.entries, isDetailed);
  causes.push(...strangers);
  if (isDetailed) causes.push(...missingOf(group, next.units));
  return {
    causes,
    open: [
      ...now.units.filter(({ isBefore }) => isBefore),
      ...next.matched.flatMap(({ units }) => units),
      ...(isDetailed ? next.units : []),
    ]
      .map(({ isBefore: _, ...item }) => item)
      .concat(late),
  };
};

/** Match entries that name an open item of the previous period: those of its amount first, then its documents. */
const matchNames = (
  units: readonly Unit[],
  entries: readonly LedgerEntry[],
  { namesOf }: LedgerSales,
): MatchedDays => {
  const matched: MatchedEntry[] = [];
  const byName = entriesByName(entries, namesOf);
  const [left, free] = [new Set(units), new Set(entries)];
  const naming = ({ record }: Unit): readonly LedgerEntry[] =>
    (byName.get(plainName(record)) ?? []).filter((entry) => free.has(entry));
  const match = (unit: Unit, own: readonly LedgerEntry[]): void => {
    const [entry] = own;
    if (!entry) return;
    matched.push({ entry, booked: amountOf(own), units: [unit] });
    left.delete(unit);
    for (const each of own) free.delete(each);
  };
  for (const unit of units) match(unit, entriesOfAmount(naming(unit), unit.amount));
  for (const unit of [...left]) match(unit, documentOf(naming(unit), [plainName(unit.record)], unit.amount));
  return { matched, entries: [...free], units: [...left] };
};

/** The units to match: individual sales if all of them are known, otherwise daily totals. */
const unitsOf = (group: string, { single, days, matched }: GroupSales): readonly Unit[] => {
  const byDay = [...days].map(([day, amount]) => ({ group, day, amount, record: '' }));
  const units = matched > 0 && amountOf(single) === amountOf(byDay) ? single : byDay;
  return units.map((unit) => ({ ...unit, isBefore: false }));
};

/** Sales booked by an entry after the period, which stay open until then. */
const lateItems = ({ booked }: GroupSales, period: FilingPeriod): readonly OpenItem[] =>
  booked.flatMap(({ entry, item }) => (entry.date > period.last ? item : []));

/** Explain entries that match no sale of the period: marketplace tax, duplicates, or unexplained. */
const strangersOf = (
  { group, sales }: SalesGiven,
  own: GroupSales,
  entries: readonly LedgerEntry[],
  isDetailed: boolean,
): readonly LedgerCause[] => {
  const at = { group, line: 'collected' } as const;
  return entries.flatMap((entry) => {
    const names = sales.namesOf(entry);
    const amount = negate(entry.amount);
    const isMarketplace =
      names.some((name) => sales.marketplaceSales.get(name) === entry.amount) ||
      own.marketplaceDays.get(entry.date) === entry.amount ||
      (own.marketplace !== ZERO && own.marketplace === entry.amount);
    if (isMarketplace) {
      const what = `${formatMoney(entry.amount)} on ${entry.date}${textOf(entry)} is tax that a marketplace collected and remits itself`;
      return [causeOf({ ...at, cause: 'marketplace-tax' }, amount, what, entry)];
    }
    if (names.some((name) => sales.booked.has(name))) {
      const what = `${formatMoney(entry.amount)} on ${entry.date}${textOf(entry)} is of a sale that another entry has already`;
      return [causeOf({ ...at, cause: 'posted-twice' }, amount, what, entry)];
    }
    if (!isDetailed) return [];
    const what = `${formatMoney(entry.amount)} on ${entry.date}${textOf(entry)} is the tax of no sale or days that Tieout knows`;
    return [causeOf({ ...at, cause: 'unexplained' }, amount, what, entry)];
  });
};

const missingOf = (group: string, units: readonly Unit[]): readonly LedgerCause[] => {
  const at = { group, line: 'collected' } as const;
  const sales = units.filter(({ record }) => record !== '');
  return [
    ...sales.map(({ record, day, amount }) =>
      causeOf({ ...at, cause: 'not-posted' }, amount, `${record} of ${day} has no entry`),
    ),
    ...spansOf(units.filter(({ record }) => record === '')).map(({ first, last, amount }) =>
      causeOf(
        { ...at, cause: 'day-missing' },
        amount,
        first === last
          ? `no entry for the sales of ${first}`
          : `no entry for the sales of ${first} to ${last}`,
      ),
    ),
  ];
};

const daysText = (units: readonly Unit[]): string => {
  const [first, last] = [units[0], units.at(-1)];
  const when = first?.day === last?.day ? first?.day : `${first?.day} to ${last?.day}`;
  return `tax of ${units.length === 1 && first?.record ? `${first.record}, ${when},` : when}`;
};

const amountOf = (items: readonly { readonly amount: Money }[]): Money =>
  sum(items.map(({ amount }) => amount));

/** Tax that the ledger should contain: for a sale or a day of this period, or carried forward from the previous one. */
type Unit = OpenItem & { readonly isBefore: boolean };

/** Units and the entry that books them, or the first of several, with the amount of all. */
type MatchedEntry = { readonly entry: LedgerEntry; readonly booked: Money; readonly units: readonly Unit[] };

/** Matched entries, and the unmatched entries and units. */
type MatchedDays = {
  readonly matched: readonly MatchedEntry[];
  readonly entries: readonly LedgerEntry[];
  readonly units: readonly Unit[];
};

/**
 * Match entries that total several sales: a daily entry with the sales of that day, and a payout with the sales of the
 * days before it. Only sums equal to the cent match.
 */
const matchDays = (units: readonly Unit[], entries: readonly LedgerEntry[]): MatchedDays => {
  let left = [...units].sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  const matched: MatchedEntry[] = [];
  const rest: LedgerEntry[] = [];
  const sameDay = Map.groupBy(entries, ({ date }) => date);
  const others: LedgerEntry[] = [];
  for (const [day, own] of sameDay) {
    const found = left.filter((unit) => unit.day === day && !unit.isBefore);
    const [first] = own;
    if (first && found.length > 0 && amountOf(found) === amountOf(own)) {
      matched.push({ entry: first, booked: amountOf(own), units: found });
      left = left.filter((unit) => !found.includes(unit));
    } else others.push(...own);
  }
  for (const entry of others) {
    const run = runOf(left, entry);
    if (!run) {
      rest.push(entry);
      continue;
    }
    matched.push({ entry, booked: entry.amount, units: run });
    left = left.filter((unit) => !run.includes(unit));
  }
  return { matched, entries: rest, units: left };
};

/** At most this many of the latest units up to an entry's date are tried for it. */
const UNITS_MAX = 62;

/** The latest run of consecutive units, none after the entry, that adds up to its amount. */
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

/** Merge consecutive days into spans. */
const spansOf = (
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
