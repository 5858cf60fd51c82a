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
  for (const someLevels of subsets(levels))
    for (const someLines of subsets(lines)) {
      const size = costOf(someLevels, someLines);
      if (size >= least || !comesTo(someLines, someLevels)) continue;
      best = { levels: someLevels, lines: someLines };
      least = size;
    }
  return best;
};

/** Size counts most; among equals, lines of a kind that the levels do not have count against a group. */
const costOf = (levels: readonly LeviedLevel[], lines: readonly TaxLine[]): number => {
  const kinds = new Set<string>(levels.map(({ level }) => level));
  const strangers = lines.filter(({ kind }) => kind !== null && !kinds.has(kind)).length;
  return (levels.length + lines.length) * (LINES_MAX + 1) + strangers;
};

const subsets = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: 2 ** items.length - 1 }, (_, index) =>
    items.filter((_item, at) => ((index + 1) >> at) % 2 === 1),
  );
