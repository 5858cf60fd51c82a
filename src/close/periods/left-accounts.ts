import { amendedPeriod } from '../../kernel/amended-version.ts';
import type { Parts } from '../../kernel/parts.ts';
import { closingHeads } from '../workspace/closings.ts';
import { allLocks } from '../workspace/locks.ts';
import { keptPeriods } from '../workspace/trend.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { ACCOUNTS, type Account, type Balances, type TakenOver, takenOverIn } from './taken-over.ts';

/** What periods leave of the accounts of a state, as far as they were closed; each counts in its last version. */
export type LeftAccounts = {
  /** Returns what the first of these periods that was closed leaves; `undefined` where nothing is known of it. */
  readonly leftBy: (from: readonly string[], state: string) => Required<Balances> | undefined;
  /** Returns what later periods that are locked used of what a period leaves, beyond what was added in them. */
  readonly usedAfter: (label: string, state: string) => Balances;
};

/** A closing of the last version of a period. */
type Version = {
  readonly took: TakenOver | undefined;
  readonly isLocked: boolean;
  /** What its own return of a state left. */
  readonly left: (state: string) => Required<Balances> | undefined;
};

/**
 * Read what periods leave of their accounts. A locked period stays as it was filed: where the one before it was amended
 * since and leaves something else now, the difference is left to the period after the locked one.
 */
export const leftAccounts = async (workspace: Workspace): Promise<LeftAccounts> => {
  const versions = await lastVersions(workspace);
  const sourceOf = (from: readonly string[]): string | undefined => from.find((label) => versions.has(label));

  const leftBy: LeftAccounts['leftBy'] = (from, state) => {
    const version = versions.get(sourceOf(from) ?? '');
    const left = version?.left(state);
    const took = version?.isLocked ? version.took?.states[state] : undefined;
    const before = took && leftBy(took.from, state);
    if (!left || !before) return left;
    const now = (account: Account): number =>
      left[account] + before[account] - (took[account] ?? before[account]);
    return { prepayments: now('prepayments'), credits: now('credits') };
  };

  const usedOf = (label: string, state: string, account: Account): number => {
    let used = 0;
    for (const [follower, { took, isLocked, left }] of versions) {
      const taken = took?.states[state];
      const opening = taken?.[account] ?? 0;
      // What opens with nothing has used nothing of it.
      if (taken === undefined || opening === 0 || sourceOf(taken.from) !== label) continue;
      const own = isLocked ? opening - (left(state)?.[account] ?? opening) : 0;
      used += Math.max(0, own + usedOf(follower, state, account));
    }
    return used;
  };

  const usedAfter: LeftAccounts['usedAfter'] = (label, state) =>
    Object.fromEntries(
      ACCOUNTS.map((account) => [account, usedOf(label, state, account)] as const).filter(
        ([, used]) => used > 0,
      ),
    );
  return { leftBy, usedAfter };
};

/** Returns the last version of each period that was closed, by the label of the period. */
const lastVersions = async (workspace: Workspace): Promise<ReadonlyMap<string, Version>> => {
  const locks = (await allLocks(workspace)).filter(({ state }) => state === 'locked');
  const heads = await closingHeads(workspace);
  const kept = await keptPeriods(
    workspace,
    heads.map(({ period }) => period),
  );
  const versions = new Map<string, Version>();
  for (const { period, parts } of heads) {
    const label = amendedPeriod(period);
    if (period !== (locks.findLast((lock) => lock.period === label)?.label ?? label)) continue;
    const rows = new Map(kept.filter((row) => row.period === period).map((row) => [row.state, row]));
    versions.set(label, {
      took: takenOverIn(JSON.parse(parts) as Partial<Parts<'takenOver'>>),
      isLocked: locks.some((lock) => lock.label === period),
      left: (state) => {
        const row = rows.get(state);
        return row && { prepayments: row.prepayments_left ?? 0, credits: row.credits_left ?? 0 };
      },
    });
  }
  return versions;
};
