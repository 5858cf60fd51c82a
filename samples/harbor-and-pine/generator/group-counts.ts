import type { FileGroup } from './orders-export.ts';

const KINDS = ['accepted', 'warning', 'review', 'outside', 'ignored', 'rejected'] as const;

/** How often each key occurs, in the order of the alphabet. */
export const countBy = (keys: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const key of keys.toSorted()) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
};

const rowsIn = (groups: readonly FileGroup[]): number =>
  groups.reduce((sum, { rows }) => sum + rows.length, 0);

/** Groups and rows by outcome; the six outcomes add up to the file. */
export const groupCounts = (groups: readonly FileGroup[]) => ({
  total: { groups: groups.length, rows: rowsIn(groups) },
  ...Object.fromEntries(
    KINDS.map((kind) => {
      const own = groups.filter(({ outcome }) => outcome.kind === kind);
      const reasons = own.flatMap(({ outcome }) => ('reason' in outcome ? [outcome.reason] : []));
      return [kind, { groups: own.length, rows: rowsIn(own), reasons: countBy(reasons) }];
    }),
  ),
});
