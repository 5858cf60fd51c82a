import { formatMoney, type Money, negate, sum, ZERO } from '../../kernel/money.ts';
import { type FilingPeriod, isWithin } from '../../kernel/period.ts';
import type { LedgerEntry } from './ledger-file.ts';
import { emptyGroup, type GroupSales, type LedgerSales, plainName } from './ledger-sales.ts';
import { type MatchedDays, type MatchedEntry, matchDays, spansOf, type Unit } from './match-days.ts';
import type { LedgerCause, OpenItem } from './open-items.ts';
import { causeOf, textOf } from './settle-returns.ts';

export type SalesGiven = {
  readonly group: string;
  readonly period: FilingPeriod;
  readonly sales: LedgerSales;
  /** Entries of the balance that book tax of sales, those of other days among them. */
  readonly entries: readonly LedgerEntry[];
  /** What the period before left. */
  readonly items: readonly OpenItem[];
};

/** Why the tax collected is not what the ledger has, and what stays open for the next period. */
export type SettledSales = { readonly causes: readonly LedgerCause[]; readonly open: readonly OpenItem[] };

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
  for (const { entry, units } of now.matched) {
    const earlier = units.filter(({ isBefore }) => isBefore);
    if (earlier.length === 0) continue;
    const what = `${daysText(earlier)} was collected before the period and is posted on ${entry.date}${textOf(entry)}`;
    causes.push(causeOf({ ...at, cause: 'other-month' }, negate(amountOf(earlier)), what, entry));
  }
  for (const { entry, units } of next.matched) {
    const what = `${daysText(units)} is posted on ${entry.date}${textOf(entry)}`;
    causes.push(causeOf({ ...at, cause: 'other-month' }, amountOf(units), what, entry));
  }
  // A ledger that books sale by sale, or day by day, shows what it lacks. One sum for a month does not.
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

/** Entries that name a record which the period before left. */
const matchNames = (
  units: readonly Unit[],
  entries: readonly LedgerEntry[],
  { namesOf }: LedgerSales,
): MatchedDays => {
  const matched: MatchedEntry[] = [];
  const left = [...units];
  const others = entries.filter((entry) => {
    const names = namesOf(entry);
    const place = left.findIndex(
      ({ record, amount }) => amount === entry.amount && names.includes(plainName(record)),
    );
    if (place >= 0) matched.push({ entry, units: left.splice(place, 1) });
    return place < 0;
  });
  return { matched, entries: others, units: left };
};

/** Sales one by one where all of them are known so, else day by day. */
const unitsOf = (group: string, { single, days, matched }: GroupSales): readonly Unit[] => {
  const byDay = [...days].map(([day, amount]) => ({ group, day, amount, record: '' }));
  const units = matched > 0 && amountOf(single) === amountOf(byDay) ? single : byDay;
  return units.map((unit) => ({ ...unit, isBefore: false }));
};

/** Sales of which an entry after the period has the number: they are open until then. */
const lateItems = ({ booked }: GroupSales, period: FilingPeriod): readonly OpenItem[] =>
  booked.flatMap(({ entry, item }) => (entry.date > period.last ? item : []));

/** Entries that book no sale of the period: marketplace tax, something posted twice, or what no one can tell. */
const strangersOf = (
  { group, sales }: SalesGiven,
  own: GroupSales,
  entries: readonly LedgerEntry[],
  isDetailed: boolean,
): readonly LedgerCause[] => {
  const at = { group, line: 'collected' } as const;
  const posted = new Set([...sales.taken].flatMap(sales.namesOf));
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
    if (names.some((name) => posted.has(name))) {
      const what = `${formatMoney(entry.amount)} on ${entry.date}${textOf(entry)} is of a sale that another entry books`;
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
