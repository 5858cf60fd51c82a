import type { CalendarDate } from '../../kernel/calendar.ts';
import { type Entry, entryOf } from '../sales/corrections.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { correctionPlaces } from '../workspace/carried-sales.ts';
import { filedAmong, ownKeyOf, type UnpostedRow, unpostedAmong } from '../workspace/filed-pages.ts';
import type { Lock } from '../workspace/locks.ts';
import { datedAmong } from '../workspace/sale-index.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type FilingPlan, isOpenDay, isOpenPlace } from './filing-plan.ts';

/** A version of a record that counts somewhere, and its day; `undefined` if it is not filed yet. */
type Version = Pick<Entry, 'of' | 'number'> & {
  readonly isPosted: boolean;
  readonly filedOn: string | undefined;
};

/** The report that is read: the locks, and the amended version that it is, while that is open. */
export type ReportPlan = Pick<FilingPlan, 'amendment'> & {
  readonly locks: readonly Lock[];
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
  const versions = Map.groupBy(await versionsOf(workspace, unposted, report), ({ of }) => of);
  return new Set(
    unposted.filter((each) => {
      const { of, number } = entryIn(each);
      return versions.get(of)?.some((version) => isLater(version, number, each.filed_on)) ?? false;
    }),
  );
};

const isLater = ({ isPosted, number, filedOn }: Version, than: number, day: string): boolean =>
  isPosted || number !== than ? number >= than : filedOn === undefined || filedOn > day;

const entryIn = (row: UnpostedRow): Entry => entryOf(nameOfKey(ownKeyOf(row)), row.corrects);

/**
 * Returns the versions of these records that are filed, carried, or dated on an open day, without reversals. What is put
 * into an amended version counts for others only once that is locked: until then no report has to have it.
 */
const versionsOf = async (
  workspace: Workspace,
  unposted: readonly UnpostedRow[],
  { locks, amendment, begins }: ReportPlan,
): Promise<readonly Version[]> => {
  const records = [...new Set(unposted.map((each) => entryIn(each).of))];
  const carried = await correctionPlaces(workspace, records);
  const stated = await datedAmong(workspace, records);
  const corrects = new Map(carried.map((place) => [place.key, place.corrects]));
  const filed = await filedAmong(workspace, [...new Set([...records, ...corrects.keys()])]);
  const posted = new Set(filed.map(({ key }) => key));
  // Most records that are not posted, as those to other countries, are filed once, on the day that the exports state.
  const days = new Map(stated.map(({ key, business_date: day }) => [key, day]));
  const elsewhere = unposted.flatMap((each) => {
    const { of } = entryIn(each);
    return days.get(of) === each.filed_on ? [] : [of];
  });
  const labels = locks.filter(({ state }) => state === 'locked').map(({ label }) => label);
  const held = await unpostedAmong(workspace, labels, [...new Set([...elsewhere, ...corrects.keys()])]);
  const isAskedAbout = (day: string): boolean =>
    begins !== undefined && begins <= day && isOpenDay(day, locks);
  const open = [
    ...stated.filter(({ key, business_date: day }) => !corrects.has(key) && isAskedAbout(day)),
    // An adopted month may lack what was carried into it: it counts where it is filed, or where it may be.
    ...carried.filter((place) => isOpenPlace(place, locks, amendment)),
  ];
  const entry = (key: string): Entry => entryOf(nameOfKey(key), corrects.get(key) ?? '');
  return [
    ...filed.map(({ key, filed_on: filedOn }) => ({ ...entry(key), isPosted: true, filedOn })),
    ...held.map((row) => ({ ...entryIn(row), isPosted: false, filedOn: row.filed_on })),
    ...open
      .filter(({ key }) => !posted.has(key))
      .map(({ key, posting }) => ({ ...entry(key), isPosted: posting === 'posted', filedOn: undefined })),
  ].filter(({ isReversal }) => !isReversal);
};
