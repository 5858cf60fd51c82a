import { DefectError } from './errors.ts';
import { type Money, money } from './money.ts';

/**
 * Split an amount in proportion to weights, to the cent. The parts add up to the whole, and each is less than a cent
 * away from its exact share. Leftover cents go to the largest remainders, earliest first. A negative amount is split
 * as the mirror image of the positive one. When all weights are zero, the first part takes the whole amount.
 */
export const allocate = (amount: Money, weights: readonly number[]): Money[] => {
  if (weights.length === 0) throw new DefectError('an amount cannot be split over no parts');
  let total = 0;
  for (const weight of weights) {
    if (!Number.isSafeInteger(weight) || weight < 0)
      throw new DefectError('weights are whole numbers from zero up');
    total += weight;
  }
  if (total === 0) return weights.map((_, index) => (index === 0 ? amount : money(0)));

  const sign = amount < 0 ? -1 : 1;
  const magnitude = Math.abs(amount);
  // `total` is at least every weight: while its product is exact, so are all the others.
  const shareOf =
    magnitude * total <= Number.MAX_SAFE_INTEGER
      ? exactShares(magnitude, total)
      : bigShares(magnitude, weights);
  const shares = weights.map(shareOf);
  let leftOver = magnitude;
  for (const { floor } of shares) leftOver -= floor;
  if (leftOver > 0)
    for (const share of [...shares].sort(byRemainderThenIndex).slice(0, leftOver)) share.floor += 1;
  return shares.map(({ floor }) => money(sign * floor));
};

/** The whole cents of a part, and the remainder of its exact share. */
type Share = { floor: number; readonly index: number; readonly remainder: number | bigint };

type ShareOf = (weight: number, index: number) => Share;

const exactShares =
  (magnitude: number, total: number): ShareOf =>
  (weight, index) => {
    const exact = magnitude * weight;
    const remainder = exact % total;
    return { floor: (exact - remainder) / total, index, remainder };
  };

const bigShares = (magnitude: number, weights: readonly number[]): ShareOf => {
  const total = weights.reduce((running, weight) => running + BigInt(weight), 0n);
  return (weight, index) => {
    const exact = BigInt(magnitude) * BigInt(weight);
    return { floor: Number(exact / total), index, remainder: exact % total };
  };
};

const byRemainderThenIndex = (left: Share, right: Share): number => {
  if (left.remainder !== right.remainder) return left.remainder > right.remainder ? -1 : 1;
  return left.index - right.index;
};
