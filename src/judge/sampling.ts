import { sha256 } from '../kernel/json.ts';
import { absolute, add, type Money, ZERO } from '../kernel/money.ts';
import type { DetailLine } from './detail-row.ts';

/** Number of rows drawn from each stratum; a smaller stratum is drawn in full. */
export const PER_STRATUM = 5;

/** A row drawn for an auditor to check. */
export type Draw = {
  readonly stratum: string;
  /** The population it was drawn from. */
  readonly population: number;
  readonly populationAmount: Money;
  /** Position in the order of drawing, from 1. */
  readonly order: number;
  readonly row: DetailLine;
};

/** A row that may be drawn. */
type Candidate = {
  readonly rank: number;
  readonly row: DetailLine;
};
type Stratum = {
  rows: number;
  amount: Money;
  candidates: Candidate[];
};

/** Upper limits of the amount bands, in cents; the last band has no upper limit. */
const BANDS = [5_000, 25_000, 100_000] as const;
const BAND_NAMES = ['below 50', '50 to 250', '250 to 1,000', '1,000 and above'] as const;

/** Number of hexadecimal hash digits in a random number: 48 bits, exact as a number. */
const RANDOM_DIGITS = 12;

/**
 * Draw a sample in one pass and little memory. Each row has a permanent random number, the hash of seed and key: the
 * smallest in a stratum are a simple random sample of it. Anyone can repeat the draw.
 *
 * @param seed determines every draw: the same seed draws the same rows from the same population, in any order
 */
export const sampler = (seed: string) => {
  const strata = new Map<string, Stratum>();
  return {
    add: (row: DetailLine): void => {
      if (!row.isPosted) return;
      const name = stratumOf(row);
      const rank = randomOf(seed, row.key);
      const stratum = strata.get(name) ?? { rows: 0, amount: ZERO, candidates: [] };
      strata.set(name, stratum);
      stratum.rows += 1;
      stratum.amount = add(stratum.amount, absolute(row.gross));
      if (stratum.candidates.length === PER_STRATUM && (stratum.candidates.at(-1)?.rank ?? 0) <= rank) return;
      stratum.candidates.push({ rank, row });
      stratum.candidates.sort((one, other) => one.rank - other.rank);
      stratum.candidates.length = Math.min(stratum.candidates.length, PER_STRATUM);
    },
    drawn: (): readonly Draw[] =>
      [...strata]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([name, { rows, amount, candidates }]) =>
          candidates.map(({ row }, index) => ({
            stratum: name.slice(2),
            population: rows,
            populationAmount: amount,
            order: index + 1,
            row,
          })),
        ),
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
