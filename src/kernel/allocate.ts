import { DefectError } from './errors.ts';
import { type Money, money } from './money.ts';

/**
 * Split an amount in proportion to weights, to the cent. The parts add up to the whole, none is a whole cent away
 * from its exact share, and the cents left over go to the largest remainders, earliest first. A negative amount
 * is split as the mirror image of the positive one. When every weight is zero the first part takes it all.
 */
export const allocate = (amount: Money, weights: readonly number[]): Money[] => {
  if (weights.length === 0) throw new DefectError('an amount cannot be split over no parts');
  if (weights.some((weight) => !Number.isSafeInteger(weight) || weight < 0)) {
    throw new DefectError('weights are whole numbers from zero up');
  }
  const total = weights.reduce((running, weight) => running + BigInt(weight), 0n);
  if (total === 0n) return weights.map((_, index) => (index === 0 ? amount : money(0)));

  const sign = amount < 0 ? -1 : 1;
  const magnitude = BigInt(Math.abs(amount));
  const shares = weights.map((weight, index) => {
    const exact = magnitude * BigInt(weight);
    return { index, floor: exact / total, remainder: exact % total };
  });
  const floors = shares.reduce((running, { floor }) => running + floor, 0n);
  const leftOver = Number(magnitude - floors);
  const first = [...shares].sort(byRemainderThenIndex).slice(0, leftOver);
  const raised = new Set(first.map(({ index }) => index));
  return shares.map(({ index, floor }) => money(sign * (Number(floor) + (raised.has(index) ? 1 : 0))));
};

type Share = { readonly index: number; readonly remainder: bigint };

const byRemainderThenIndex = (left: Share, right: Share): number => {
  if (left.remainder !== right.remainder) return left.remainder > right.remainder ? -1 : 1;
  return left.index - right.index;
};
