import type { TaxLine } from '../sales/tax-line.ts';
import type { LeviedLevel } from './levied-levels.ts';

/** More lines than that on one sale are not tried in all combinations: there would be thousands. */
const LINES_MAX = 10;

type Group = { readonly levels: readonly LeviedLevel[]; readonly lines: readonly TaxLine[] };

/**
 * The fewest levels and lines that come to each other: a state's 7.25 % is one line in one file, and 6 % + 0.25 % + 1 %
 * in another. Of several such groups, the one whose lines name its levels most often.
 */
export const groupByRates = (
  levels: readonly LeviedLevel[],
  lines: readonly TaxLine[],
  comesTo: (lines: readonly TaxLine[], levels: readonly LeviedLevel[]) => boolean,
): Group | undefined => {
  if (levels.length === 0 || lines.length === 0 || lines.length > LINES_MAX) return undefined;
  let best: Group | undefined;
  let least = Number.POSITIVE_INFINITY;
  const linesTried = subsets(lines);
  for (const someLevels of subsets(levels))
    for (const someLines of linesTried) {
      const size = (someLevels.length + someLines.length) * (LINES_MAX + 1);
      if (size >= least || !comesTo(someLines, someLevels)) continue;
      const cost = size + strangersAmong(someLines, someLevels);
      if (cost >= least) continue;
      best = { levels: someLevels, lines: someLines };
      least = cost;
    }
  return best;
};

/** Size counts most; among equals, lines of a kind that the levels do not have count against a group. */
const strangersAmong = (lines: readonly TaxLine[], levels: readonly LeviedLevel[]): number =>
  lines.filter(({ kind }) => kind !== null && !levels.some(({ level }) => level === kind)).length;

const subsets = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: 2 ** items.length - 1 }, (_, index) =>
    items.filter((_item, at) => ((index + 1) >> at) % 2 === 1),
  );
