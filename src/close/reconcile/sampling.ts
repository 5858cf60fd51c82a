import { sha256 } from '../../kernel/digest.ts';
import { absolute, add, type Money, ZERO } from '../../kernel/money.ts';
import type { DetailRow } from './detail-row.ts';

export type SamplingPlan = {
  /** Decides every draw: the same seed draws the same rows from the same population, in whatever order they come. */
  readonly seed: string;
  /** Rows drawn from each stratum, all of a smaller one. */
  readonly perStratum: number;
  /** Rows drawn in proportion to their amount. */
  readonly monetaryUnits: number;
};

/** A row that was drawn for an auditor to look at. */
export type Draw = {
  readonly method: 'stratified' | 'monetary unit';
  readonly stratum: string;
  /** The population it was drawn from. */
  readonly population: number;
  readonly populationAmount: Money;
  /** Its place in the order of drawing, from 1. */
  readonly order: number;
  readonly row: DetailRow;
};

type Candidate = { readonly rank: number; readonly row: DetailRow };
type Stratum = { rows: number; amount: Money; candidates: Candidate[] };

/** Upper ends of the bands of amounts, in cents; what is above the last is a band of its own. */
const BANDS = [5_000, 25_000, 100_000] as const;
const BAND_NAMES = ['below 50', '50 to 250', '250 to 1,000', '1,000 and above'] as const;

/** Hexadecimal digits of a hash that make a random number: 48 bits, exact as a number. */
const RANDOM_DIGITS = 12;

/**
 * Draw rows as they pass by, in one pass and little memory. Each row has a permanent random number, the hash of seed
 * and key: the smallest of a stratum are a simple random sample of it, and the smallest after division by the amount
 * are a sample in proportion to amounts (sequential Poisson sampling, Ohlsson 1998). Anybody can draw again.
 */
export const sampler = ({ seed, perStratum, monetaryUnits }: SamplingPlan) => {
  const strata = new Map<string, Stratum>();
  const all: Stratum = { rows: 0, amount: ZERO, candidates: [] };
  const offer = (stratum: Stratum, candidate: Candidate, size: number): void => {
    stratum.rows += 1;
    stratum.amount = add(stratum.amount, absolute(candidate.row.gross));
    if (stratum.candidates.length === size && (stratum.candidates.at(-1)?.rank ?? 0) <= candidate.rank)
      return;
    const place = stratum.candidates.findIndex(({ rank }) => rank > candidate.rank);
    stratum.candidates.splice(place === -1 ? stratum.candidates.length : place, 0, candidate);
    stratum.candidates.length = Math.min(stratum.candidates.length, size);
  };
  return {
    add: (row: DetailRow): void => {
      if (!row.isPosted) return;
      const name = stratumOf(row);
      const stratum = strata.get(name) ?? { rows: 0, amount: ZERO, candidates: [] };
      strata.set(name, stratum);
      const random = randomOf(seed, row.key);
      offer(stratum, { rank: random, row }, perStratum);
      const weight = absolute(row.gross);
      if (weight > ZERO) offer(all, { rank: random / weight, row }, monetaryUnits);
    },
    drawn: (): readonly Draw[] => [
      ...[...strata]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .flatMap(([name, stratum]) => drawsOf('stratified', name.slice(2), stratum)),
      ...drawsOf('monetary unit', 'all posted', all),
    ],
  };
};

/** Orders before refunds, small before large; the figure in front only sorts. */
const stratumOf = ({ kind, gross }: DetailRow): string => {
  const band = BANDS.findIndex((end) => absolute(gross) < end);
  const index = band === -1 ? BANDS.length : band;
  return `${kind === 'order' ? 0 : 1}${index}${kind}s ${BAND_NAMES[index]}`;
};

const randomOf = (seed: string, key: string): number =>
  Number.parseInt(sha256(`${seed}\n${key}`).slice(0, RANDOM_DIGITS), 16);

const drawsOf = (method: Draw['method'], stratum: string, { rows, amount, candidates }: Stratum): Draw[] =>
  candidates.map(({ row }, index) => ({
    method,
    stratum,
    population: rows,
    populationAmount: amount,
    order: index + 1,
    row,
  }));
