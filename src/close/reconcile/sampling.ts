import { sha256 } from '../../kernel/digest.ts';
import { DefectError } from '../../kernel/errors.ts';
import { absolute, add, type Money, ZERO } from '../../kernel/money.ts';
import type { DetailLine } from './detail-row.ts';

export type SamplingPlan = {
  /** Determines every draw: the same seed draws the same rows from the same population, in any order. */
  readonly seed: string;
  /** Number of rows drawn from each stratum; a smaller stratum is drawn in full. */
  readonly perStratum: number;
  /** Number of rows drawn in proportion to their amount. */
  readonly monetaryUnits: number;
};

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

/** A row that may be drawn: the row itself, or its key and the slot of its page. */
type Candidate = { readonly rank: number } & (
  | { readonly row: DetailLine }
  | { readonly key: string; readonly slot: string }
);
type Population = { rows: number; amount: Money };
type Stratum = Population & { candidates: Candidate[] };

/** The candidates among the rows of a page as plain data, by stratum: their ranks and keys. */
export type KeptSample = readonly (readonly [
  stratum: string,
  Population & { readonly candidates: readonly (readonly [rank: number, key: string])[] },
])[];

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
 */
export const sampler = ({ seed, perStratum, monetaryUnits }: SamplingPlan) => {
  const strata = new Map<string, Stratum>();
  const stratumNamed = (name: string, { rows, amount }: Population): Stratum => {
    const stratum = strata.get(name) ?? { rows: 0, amount: ZERO, candidates: [] };
    strata.set(name, stratum);
    stratum.rows += rows;
    stratum.amount = add(stratum.amount, amount);
    return stratum;
  };
  const sizeOf = (name: string): number => (name === ALL ? monetaryUnits : perStratum);
  const offer = (stratum: Stratum, candidate: Candidate, size: number): void => {
    if (stratum.candidates.length === size && (stratum.candidates.at(-1)?.rank ?? 0) <= candidate.rank)
      return;
    const place = stratum.candidates.findIndex(({ rank }) => rank > candidate.rank);
    stratum.candidates.splice(place === -1 ? stratum.candidates.length : place, 0, candidate);
    stratum.candidates.length = Math.min(stratum.candidates.length, size);
  };
  return {
    add: (row: DetailLine): void => {
      if (!row.isPosted) return;
      const name = stratumOf(row);
      const amount = absolute(row.gross);
      const random = randomOf(seed, row.key);
      offer(stratumNamed(name, { rows: 1, amount }), { rank: random, row }, sizeOf(name));
      if (amount > ZERO)
        offer(stratumNamed(ALL, { rows: 1, amount }), { rank: random / amount, row }, sizeOf(ALL));
    },
    /** The rows passed to `add`, as plain data. */
    kept: (): KeptSample =>
      [...strata].map(([name, { candidates, ...population }]) => [
        name,
        {
          ...population,
          candidates: candidates.flatMap((each) =>
            'row' in each ? [[each.rank, each.row.key] as const] : [],
          ),
        },
      ]),
    /** @param slot the slot of the page that has these rows */
    join: (others: KeptSample, slot: string): void => {
      for (const [name, { candidates, ...population }] of others) {
        const stratum = stratumNamed(name, population);
        for (const [rank, key] of candidates) offer(stratum, { rank, key, slot }, sizeOf(name));
      }
    },
    /** The keys of the drawn rows that came from `join`, with the slots of their pages. */
    joined: (): ReadonlyMap<string, string> =>
      new Map(
        [...strata.values()].flatMap(({ candidates }) =>
          candidates.flatMap((each) => ('slot' in each ? [[each.key, each.slot] as const] : [])),
        ),
      ),
    /** @param rows the drawn rows that came from `join`, by key */
    drawn: (rows: ReadonlyMap<string, DetailLine> = new Map()): readonly Draw[] => {
      const rowOf = (key: string): DetailLine => {
        const row = rows.get(key);
        if (!row) throw new DefectError(`the sale ${key} was drawn for the sample and is in no page`);
        return row;
      };
      const draws = (method: Draw['method'], shown: string, name: string): readonly Draw[] => {
        const { rows, amount, candidates } = strata.get(name) ?? { rows: 0, amount: ZERO, candidates: [] };
        return candidates.map((each, index) => ({
          method,
          stratum: shown,
          population: rows,
          populationAmount: amount,
          order: index + 1,
          row: 'row' in each ? each.row : rowOf(each.key),
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
