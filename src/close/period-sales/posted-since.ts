import { type Entry, entryOf } from '../sales/corrections.ts';
import { nameOfKey } from '../sales/sale-name.ts';
import { correctionPlaces } from '../workspace/carried-sales.ts';
import { filedAmong } from '../workspace/filed-pages.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type FilingPlan, hasCarried, hasFiled } from './filing-plan.ts';

/** A record that is filed and not posted. `corrects` is empty unless it is late. */
type Unposted = { readonly key: string; readonly corrects: string };

/**
 * Returns the keys of those of these records of which the same period has a posted version, of the same number or a
 * later one. An amended version, and a quarter whose months were locked, show such a record once, as it is posted.
 */
export const postedSince = async (
  workspace: Workspace,
  unposted: readonly Unposted[],
  plan: FilingPlan,
): Promise<ReadonlySet<string>> => {
  if (unposted.length === 0) return new Set();
  const records = [...new Set(unposted.map((each) => versionOf(each).of))];
  const carried = await correctionPlaces(workspace, records);
  const keys = new Set([...records, ...carried.map(({ key }) => key)]);
  const filed = new Map((await filedAmong(workspace, [...keys])).map((row) => [row.key, row]));
  const corrected = new Map(carried.map((place) => [place.key, place]));
  const numbers = new Map<string, number>();
  for (const key of keys) {
    const [lock, place] = [filed.get(key), corrected.get(key)];
    const { of, number, isReversal } = versionOf({ key, corrects: place?.corrects ?? '' });
    const isShown = lock
      ? hasFiled(plan, lock)
      : place !== undefined && place.posting === 'posted' && hasCarried(plan, place);
    if (isShown && !isReversal) numbers.set(of, Math.max(number, numbers.get(of) ?? 0));
  }
  return new Set(
    unposted.flatMap((each) => {
      const { of, number } = versionOf(each);
      return number <= (numbers.get(of) ?? -1) ? [each.key] : [];
    }),
  );
};

const versionOf = ({ key, corrects }: Unposted): Entry => entryOf(nameOfKey(key), corrects);
