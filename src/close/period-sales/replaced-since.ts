import type { CalendarDate } from '../../kernel/calendar.ts';
import { type Entry, entryOf } from '../sales/corrections.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { correctionPlaces } from '../workspace/carried-sales.ts';
import { filedAmong, ownKeyOf, type UnpostedRow, unpostedAmong } from '../workspace/filed-pages.ts';
import type { Lock } from '../workspace/locks.ts';
import type { Locking } from '../workspace/period-events.ts';
import { datedAmong } from '../workspace/sale-index.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type FilingPlan, isOpenDay, isOpenPlace } from './filing-plan.ts';

/** A version of a record that counts somewhere. */
type Version = Pick<Entry, 'of' | 'number'> & {
  readonly isPosted: boolean;
  /** Its rank among the versions of its number that are not posted: the highest stands. */
  readonly rank: number;
};

/** The report that is read: the locks, and the amended version that it is, while that is open. */
export type ReportPlan = Pick<FilingPlan, 'amendment'> & {
  readonly locks: readonly Lock[];
  /** When they were locked, the earliest first. */
  readonly lockings: readonly Locking[];
  /** The first day of the earliest close. Days before it are history, and no report asks about them. */
  readonly begins: CalendarDate | undefined;
};

/**
 * Returns those of these records of which a later version counts, in whatever period: one that is posted, or one that is
 * not posted either and came after it. A record is shown once, as it stands last, and where it counts now.
 */
export const replacedSince = async <Filed extends UnpostedRow>(
  workspace: Workspace,
  unposted: readonly Filed[],
  report: ReportPlan,
): Promise<ReadonlySet<Filed>> => {
  if (unposted.length === 0) return new Set();
  const records = [...new Set(unposted.map((each) => entryIn(each).of))];
  const stated = await datedAmong(workspace, records);
  const ranks = ranksIn(report, stated);
  const found = await versionsOf(workspace, { unposted, records, stated, ranks }, report);
  const versions = Map.groupBy(found, ({ of }) => of);
  return new Set(
    unposted.filter((each) => {
      const own = { ...entryIn(each), rank: ranks.of(each) };
      return versions.get(own.of)?.some((version) => isLater(version, own)) ?? false;
    }),
  );
};

const isLater = ({ isPosted, number, rank }: Version, than: Pick<Version, 'number' | 'rank'>): boolean =>
  isPosted || number !== than.number ? number >= than.number : rank > than.rank;

type Dated = Awaited<ReturnType<typeof datedAmong>>[number];

/**
 * Ranks filed versions by the time of their locks: a version is decided after what was locked before it. One that a lock
 * has as its own stands before all of them while the exports date the record in the period of that lock: it was moved
 * elsewhere, and back.
 */
const ranksIn = ({ locks, lockings }: ReportPlan, stated: readonly Dated[]) => {
  const times = new Map(lockings.map(({ label }, place) => [label, place]));
  const timeOf = ({ label }: Lock): number => times.get(label) ?? -1;
  const ordered = [...locks].sort((one, other) => timeOf(one) - timeOf(other));
  const places = new Map(ordered.map((lock, place) => [lock.label, { ...lock, place }]));
  const days = new Map(stated.map(({ key, business_date: day }) => [key, day]));
  const isAtHome = (row: UnpostedRow): boolean => {
    const lock = places.get(row.label);
    const day = days.get(entryIn(row).of);
    if (row.corrects !== '' || lock === undefined || day === undefined) return false;
    return lock.first <= day && day <= lock.last;
  };
  return {
    /**
     * Whether the exports date the record, but not in the period whose lock has it as its own, or have it no more.
     */
    isMoved: (row: UnpostedRow): boolean => !days.has(entryIn(row).of) || !isAtHome(row),
    of: (row: UnpostedRow): number =>
      (places.get(row.label)?.place ?? 0) + (isAtHome(row) ? locks.length : 0),
  };
};

const NOT_FILED_YET = Number.POSITIVE_INFINITY;

const entryIn = (row: UnpostedRow): Entry => entryOf(nameOfKey(ownKeyOf(row)), row.corrects);

/** The records that are looked at, with what the exports state of them. */
type Known = {
  readonly unposted: readonly UnpostedRow[];
  readonly records: readonly string[];
  readonly stated: readonly Dated[];
  readonly ranks: ReturnType<typeof ranksIn>;
};

/**
 * Returns the versions of these records that are filed, carried, or dated on an open day, without reversals. What is put
 * into an amended version counts for others only once that is locked: until then no report has to have it.
 */
const versionsOf = async (
  workspace: Workspace,
  { unposted, records, stated, ranks }: Known,
  { locks, amendment, begins }: ReportPlan,
): Promise<readonly Version[]> => {
  const carried = await correctionPlaces(workspace, records);
  const corrects = new Map(carried.map((place) => [place.key, place.corrects]));
  const filed = await filedAmong(workspace, [...new Set([...records, ...corrects.keys()])]);
  const posted = new Set(filed.map(({ key }) => key));
  // Most records that are not posted, as those to other countries, are filed once, in the period in which the exports
  // date them. Asking every lock for them would be slow.
  const moved = unposted.filter(ranks.isMoved).map((each) => entryIn(each).of);
  const labels = locks.filter(({ state }) => state === 'locked').map(({ label }) => label);
  const asked = new Set([...moved, ...corrects.keys(), ...corrects.values()]);
  const held = await unpostedAmong(workspace, labels, [...asked]);
  const isAskedAbout = (day: string): boolean =>
    begins !== undefined && begins <= day && isOpenDay(day, locks);
  const open = [
    ...stated.filter(({ key, business_date: day }) => !corrects.has(key) && isAskedAbout(day)),
    ...carried.filter((place) => isOpenPlace(place, locks, amendment)),
  ];
  const entry = (key: string): Entry => entryOf(nameOfKey(key), corrects.get(key) ?? '');
  return [
    ...filed.map(({ key }) => ({ ...entry(key), isPosted: true, rank: 0 })),
    ...held.map((row) => ({ ...entryIn(row), isPosted: false, rank: ranks.of(row) })),
    ...open
      .filter(({ key }) => !posted.has(key))
      .map(({ key, posting }) => ({ ...entry(key), isPosted: posting === 'posted', rank: NOT_FILED_YET })),
  ].filter(({ isReversal }) => !isReversal);
};
