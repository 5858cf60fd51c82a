import { sha256 } from '../kernel/json.ts';
import { absolute, add, type Money, ZERO } from '../kernel/money.ts';
import type { DetailLine } from './detail-row.ts';

/** Number of rows drawn from each stratum; a smaller stratum is drawn in full. */
export const PER_STRATUM = 5;

/** Number of rows drawn in proportion to their amount. */
export const MONETARY_UNITS = 25;

/** A row drawn for an auditor to check. */
export type Draw = {
  readonly method: 'stratified' | 'monetary unit';
  readonly stratum: string;
  /** The population it was drawn from. */
  readonly population: number;
  readonly populationAmount: Money;
  /** Position in the order of drawing, from 1. */
  readonly order: number;
  readonly row: DetailLine;
};

/** A row that may be drawn. */
type Candidate = { readonly rank: number; readonly row: DetailLine };
type Stratum = { rows: number; amount: Money; candidates: Candidate[] };

/** The stratum of all rows, used for draws in proportion to amounts. */
const ALL = '';

/** Upper limits of the amount bands, in cents; the last band has no upper limit. */
const BANDS = [5_000, 25_000, 100_000] as const;
const BAND_NAMES = ['below 50', '50 to 250', '250 to 1,000', '1,000 and above'] as const;

/** Number of hexadecimal hash digits in a random number: 48 bits, exact as a number. */
const RANDOM_DIGITS = 12;

/**
 * Draw a sample in one pass and little memory. Each row has a permanent random number, the hash of seed and key: the
 * smallest in a stratum are a simple random sample of it, and the smallest after division by the amount are a sample in
 * proportion to amounts (sequential Poisson sampling, Ohlsson 1998). Anyone can repeat the draw.
 *
 * @param seed determines every draw: the same seed draws the same rows from the same population, in any order
 */
export const sampler = (seed: string) => {
  const strata = new Map<string, Stratum>();
  const offer = (name: string, candidate: Candidate, amount: Money): void => {
    const stratum = strata.get(name) ?? { rows: 0, amount: ZERO, candidates: [] };
    strata.set(name, stratum);
    stratum.rows += 1;
    stratum.amount = add(stratum.amount, amount);
    const size = name === ALL ? MONETARY_UNITS : PER_STRATUM;
    if (stratum.candidates.length === size && (stratum.candidates.at(-1)?.rank ?? 0) <= candidate.rank)
      return;
    const place = stratum.candidates.findIndex(({ rank }) => rank > candidate.rank);
    stratum.candidates.splice(place === -1 ? stratum.candidates.length : place, 0, candidate);
    stratum.candidates.length = Math.min(stratum.candidates.length, size);
  };
  return {
    add: (row: DetailLine): void => {
      if (!row.isPosted) return;
      const amount = absolute(row.gross);
      const random = randomOf(seed, row.key);
      offer(stratumOf(row), { rank: random, row }, amount);
      if (amount > ZERO) offer(ALL, { rank: random / amount, row }, amount);
    },
    drawn: (): readonly Draw[] => {
      const draws = (method: Draw['method'], shown: string, name: string): readonly Draw[] => {
        const { rows, amount, candidates } = strata.get(name) ?? { rows: 0, amount: ZERO, candidates: [] };
        return candidates.map(({ row }, index) => ({
          method,
          stratum: shown,
          population: rows,
          populationAmount: amount,
          order: index + 1,
          row,
        }));
      };
      const names = [...strata.keys()].filter((name) => name !== ALL).sort();
      return [
        ...names.flatMap((name) => draws('stratified', name.slice(2), name)),
        ...draws('monetary unit', 'all posted', ALL),
      ];
    },
  };
};

/** The stratum of a row. The two leading digits only sort: orders before refunds, small before large. */
const stratumOf = ({ kind, gross }: DetailLine): string => {
  const band = BANDS.findIndex((end) => absolute(gross) < end);
  const index = band === -1 ? BANDS.length : band;
  return `${kind === 'order' ? 0 : 1}${index}${kind}s ${BAND_NAMES[index]}`;
};

const randomOf = (seed: string, key: string): number =>
  Number.parseInt(sha256(`${seed}\n${key}`).slice(0, RANDOM_DIGITS), 16);
