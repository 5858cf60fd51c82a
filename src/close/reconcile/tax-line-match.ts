import type { TaxResult } from '../../contract/tax-result.ts';
import type { Rate } from '../../kernel/rate.ts';
import type { TaxLine } from '../sales/tax-line.ts';
import { isSamePlace, isSameState } from './jurisdiction-name.ts';
import type { LeviedLevel } from './levied-levels.ts';
import type { Level } from './tax-model.ts';

/** The names of the jurisdictions of a sale; empty if unknown. */
export type JurisdictionNames = { readonly state: string; readonly county: string; readonly city: string };

/** Tax lines that together correspond to these levels. */
export type MatchedLines = { readonly levels: readonly LeviedLevel[]; readonly lines: readonly TaxLine[] };

/** The result of matching. Every line is in one group or unmatched; a level without lines is in no group. */
export type TaxLineMatch = {
  readonly groups: readonly MatchedLines[];
  readonly unmatched: readonly TaxLine[];
};

/** The jurisdictions of a calculation; without a calculation, only the destination state. */
export const namesOf = (result: TaxResult | undefined, state: string): JurisdictionNames => ({
  state: result?.jurisdictions?.state ?? state,
  county: result?.jurisdictions?.county ?? '',
  city: result?.jurisdictions?.city ?? '',
});

/** The jurisdiction of a line, in the calculation's spelling or else the shop's. */
export const jurisdictionOf = ({ name, kind, place }: TaxLine, names: JurisdictionNames): string => {
  if (kind === 'state' && (place === '' || isSameState(place, names.state))) return names.state;
  const known = kind === 'county' || kind === 'city' ? names[kind] : '';
  if (known !== '' && (place === '' || isSamePlace(place, known))) return known;
  return place === '' ? name : place;
};

/**
 * Match the lines of the shop with the levels of the calculation. First, lines with the name and the rate or tax of a
 * level; then lines that together have the rate or tax of one or more levels, because shops split a tax differently;
 * then the remaining lines with the name of a level. The order of the lines does not matter.
 */
export const matchTaxLines = (
  taxLines: readonly TaxLine[],
  levels: readonly LeviedLevel[],
  names: JurisdictionNames,
): TaxLineMatch => {
  const groups: MatchedLines[] = [];
  let lines: readonly TaxLine[] = taxLines.length > 1 ? [...taxLines].sort(byContent) : taxLines;
  let open = [...levels];
  const settle = (group: MatchedLines): void => {
    groups.push(group);
    lines = lines.filter((line) => !group.lines.includes(line));
    open = open.filter((level) => !group.levels.includes(level));
  };

  for (const level of levels) {
    const called = lines.filter((line) => isCalled(line, level.level, names));
    const isWhole = haveRate(called, [level]) || haveTax(called, [level]);
    if (called.length > 0 && level.rate > 0 && isWhole) settle({ levels: [level], lines: called });
  }
  const levied = () => open.filter(({ rate }) => rate > 0);
  const free = () => lines.filter((line) => isCalledLikeNoOther(line, names));
  let group = groupByRates(levied(), free(), comesTo);
  while (group) {
    settle(group);
    group = groupByRates(levied(), free(), comesTo);
  }
  for (const level of [...open]) {
    const called = lines.filter((line) => isCalled(line, level.level, names));
    if (called.length > 0) settle({ levels: [level], lines: called });
  }
  return { groups, unmatched: lines };
};

/** Whether a line has the name of the jurisdiction at a level. */
const isCalled = ({ kind, place }: TaxLine, level: Level, names: JurisdictionNames): boolean => {
  if (kind !== null && kind !== level) return false;
  if (level === 'special') return kind === 'special';
  if (level === 'state') return (kind === 'state' && place === '') || isSameState(place, names.state);
  if (kind !== null && (place === '' || isSameState(place, names.state))) return true;
  // Some plugins put the county before the city.
  return (
    isSamePlace(place, names[level]) || (kind !== null && isSamePlace(place, `${names.county} ${names.city}`))
  );
};

/** Whether a line names no other jurisdiction. A line that does is never matched to these levels, whatever its rate. */
const isCalledLikeNoOther = (line: TaxLine, names: JurisdictionNames): boolean =>
  line.kind === null ||
  line.kind === 'special' ||
  (line.kind !== 'country' && isCalled(line, line.kind, names));

/** Tolerance for sums of rates, since rates are printed with only two or more decimal places. */
const RATE_TOLERANCE = 500;

type Comes = (lines: readonly TaxLine[], levels: readonly LeviedLevel[]) => boolean;

const haveRate: Comes = (lines, levels) =>
  lines.every(({ rate }) => rate !== null) && Math.abs(ratesOf(lines) - ratesOf(levels)) <= RATE_TOLERANCE;

const haveTax: Comes = (lines, levels) => {
  let due = 0;
  for (const { tax } of levels) due += tax;
  if (due === 0) return false;
  let charged = 0;
  for (const { amount } of lines) charged += amount;
  return Math.abs(charged - due) <= lines.length;
};

/** Whether lines of any name match levels. Small amounts agree by chance, so amounts count only without rates. */
const comesTo: Comes = (lines, levels) =>
  haveRate(lines, levels) || (lines.some(({ rate }) => rate === null) && haveTax(lines, levels));

const ratesOf = (rated: readonly { readonly rate: Rate | null }[]): number => {
  let total = 0;
  for (const { rate } of rated) total += rate ?? 0;
  return total;
};

/** Sort order of lines that does not depend on their original order. */
const byContent = (left: TaxLine, right: TaxLine): number => {
  const [one, other] = [contentOf(left), contentOf(right)];
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const contentOf = ({ name, rate, amount, kind, place }: TaxLine): string =>
  JSON.stringify([kind, place, name, rate, amount]);

/** Maximum number of lines for which all combinations are tried; more would give thousands. */
const LINES_MAX = 10;

type Group = { readonly levels: readonly LeviedLevel[]; readonly lines: readonly TaxLine[] };

/**
 * The smallest group of levels and lines that match: a state's 7.25 % is one line in one file, and 6 % + 0.25 % + 1 %
 * in another. Among several, the one whose lines most often name its levels.
 */
const groupByRates = (
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

/** Number of lines whose kind the levels do not include. It breaks ties between groups of equal size. */
const strangersAmong = (lines: readonly TaxLine[], levels: readonly LeviedLevel[]): number =>
  lines.filter(({ kind }) => kind !== null && !levels.some(({ level }) => level === kind)).length;

const subsets = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: 2 ** items.length - 1 }, (_, index) =>
    items.filter((_item, at) => ((index + 1) >> at) % 2 === 1),
  );
