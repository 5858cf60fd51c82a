import type { Money } from '../../kernel/money.ts';
import { roundQuotient } from '../../kernel/rounding.ts';
import type { Ballot, VotedBase } from './ballot.ts';

/** Steps between rates that are looked at, in 1e-7: eighths, fortieths and two-hundredths of a percent. */
export const RATE_GRIDS = [12_500, 2_500, 500] as const;
export type RateGrid = (typeof RATE_GRIDS)[number];

/** A rate over a base that gives exactly what was collected. */
export type Fit = { readonly base: VotedBase; readonly rate: number };

/** Local rates of all levels together reach from nothing to this: 8 %. */
const SPAN = 800_000;
/** An amount that fits more rates than these says nothing. */
const FITS_MAX = 8;
/** A price times a rate, in parts of a cent. */
const PARTS_PER_CENT = 1_000_000_000;
/** Larger sales do not vote, so that all products are exact. */
const COLLECTED_MAX = 4_000_000;
const BASE_MAX = 4_000_000_000;

/** Rates that a vote can be for on a grid: what chance spreads votes over. */
export const pointsOn = (grid: RateGrid): number => SPAN / grid;

/**
 * The rates, all levels together, with which the shop comes to what it collected: rounded once, by the state and all
 * others, or by each level that the answer has and the rest. A base to which the rate of the answer itself fits is
 * another base, and no other rate.
 */
export const fitsOf = (ballot: Ballot, grid: RateGrid): readonly Fit[] => {
  const { collected, own, levels, bases } = ballot;
  if (collected > COLLECTED_MAX) return [];
  const [state = 0] = levels;
  const fits: Fit[] = [];
  for (const { base, amount } of bases) {
    if (amount > BASE_MAX) continue;
    const parts = [[], [state], levels].filter(
      (known, index, all) => index < 2 || known.length > (all[1]?.length ?? 0),
    );
    const spans = parts.map((known) => spanOf(collected, amount, known));
    if (spans.some(({ low, high }) => low <= own && own <= high)) continue;
    const rates = new Set<number>();
    for (const { low, high } of spans) {
      const from = Math.max(Math.ceil((low - state) / grid), 0);
      const to = Math.min(Math.floor((high - state) / grid), SPAN / grid);
      if (to - from < FITS_MAX)
        for (let point = from; point <= to; point += 1) rates.add(state + point * grid);
    }
    for (const rate of rates) fits.push({ base, rate });
  }
  return fits;
};

type Span = { readonly low: number; readonly high: number };

/** The total rates that come to the collected cents when these rates are rounded one by one, and the rest together. */
const spanOf = (collected: Money, base: number, known: readonly number[]): Span => {
  const separate = known.reduce((total, rate) => total + rate, 0);
  const rest = known.reduce(
    (left, rate) => left - roundQuotient(base * rate, PARTS_PER_CENT),
    collected as number,
  );
  return {
    low: separate + Math.ceil(((2 * rest - 1) * PARTS_PER_CENT) / (2 * base)),
    high: separate + Math.ceil(((2 * rest + 1) * PARTS_PER_CENT) / (2 * base)) - 1,
  };
};
