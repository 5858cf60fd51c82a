import { postingOf } from '../sales/sale.ts';
import { carriedByKey } from '../workspace/carried-sales.ts';
import { filedByKey, unpostedKey } from '../workspace/filed-pages.ts';
import { decisionsOf } from '../workspace/late-decisions.ts';
import type { Lock } from '../workspace/locks.ts';
import { salesByKey } from '../workspace/put-sales.ts';
import { type Candidate, correctedOf, filedOtherwise, unfiledOf } from '../workspace/sale-index.ts';
import { unnumberedAmong } from '../workspace/set-asides.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { exportsDigest, NOTHING_STATED } from './exports-digest.ts';
import { filedRecord, filedVersions } from './filed-versions.ts';
import type { LateItem } from './late-item.ts';

/**
 * Returns the late items of a locked period that are not decided yet: records whose current exports differ from what
 * was filed. A record that is merely missing from the newest exports is not an item: Tieout never treats absence as
 * removal. Nor is a refund without a number of which the exports have several statements: it is open whether they are several refunds.
 */
export const findLate = async (
  workspace: Workspace,
  lock: Lock,
  locks: readonly Lock[],
): Promise<readonly LateItem[]> => {
  const items: LateItem[] = [];
  const labels = locks.filter(({ period, state }) => period === lock.period && state === 'locked');
  const sources = [
    unfiledOf(workspace, lock),
    filedOtherwise(
      workspace,
      labels.map(({ label }) => label),
    ),
    correctedOf(workspace, lock.period),
  ];
  const seen = new Set<string>();
  for (const source of sources) {
    for await (const page of source) {
      const fresh = page.filter(({ key }) => !seen.has(key));
      for (const { key } of fresh) seen.add(key);
      items.push(...(await undecided(workspace, lock, fresh)));
    }
  }
  return items.sort((left, right) => (left.key < right.key ? -1 : 1));
};

const undecided = async (
  workspace: Workspace,
  lock: Lock,
  page: readonly Candidate[],
): Promise<readonly LateItem[]> => {
  const keys = page.map(({ key }) => key);
  const standing = await filedVersions(workspace, keys);
  const unposted = await unpostedStatements(workspace, lock, keys);
  const decisions = await decisionsOf(workspace, keys);
  const sales = await salesByKey(workspace, keys);
  const disputed = await unnumberedAmong(
    workspace,
    keys.filter((key) => !sales.has(key)),
  );
  const carried = await carriedByKey(
    workspace,
    keys.filter((key) => !standing.has(key) && (!sales.has(key) || unposted.has(key))),
  );
  return page.flatMap(({ key, digest }): LateItem[] => {
    if (disputed.has(key)) return [];
    const sale = sales.get(key);
    const stated = sale ? exportsDigest(sale) : NOTHING_STATED;
    const filed = standing.get(key)?.record;
    const known = decisions.get(key)?.stated ?? (filed ? exportsDigest(filed.sale) : unposted.get(key));
    if (stated === (known ?? NOTHING_STATED)) return [];
    // A record that the period shows as not posted may change as long as it is not filed.
    const isHeld =
      !standing.has(key) && unposted.has(key) && sale !== undefined && postingOf(sale) !== 'posted';
    const pending = carried.get(key);
    if (isHeld && !(pending && postingOf(pending) === 'posted')) return [];
    const kind = sale === undefined ? 'withdrawn' : filed || decisions.has(key) ? 'changed' : 'new';
    const { period: label, first, last } = lock;
    return [
      {
        period: { label, first, last },
        key,
        kind,
        sale,
        digest: digest ?? '',
        filed,
        carried: sale && !isHeld ? undefined : pending,
        isHeld,
        stated,
      },
    ];
  });
};

/** Returns what the locked period states of records that were not posted. */
const unpostedStatements = async (
  workspace: Workspace,
  { period }: Lock,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const filed = await filedByKey(
    workspace,
    keys.map((key) => unpostedKey(period, key)),
  );
  return new Map([...filed.values()].map(filedRecord).map(({ sale }) => [sale.key, exportsDigest(sale)]));
};
