import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Exact } from '../../src/kernel/decimal.ts';
import { DefectError } from '../../src/kernel/errors.ts';
import { allocate, money, sum, ZERO } from '../../src/kernel/money.ts';
import { anyMoney, anyWeights } from '../support/arbitraries.ts';

const totalOf = (weights: readonly number[]) => Exact.sum(...weights);

describe('an amount that is split', () => {
  test.for([
    [100, [1, 1, 1], [34, 33, 33], 'of equal remainders the earliest gets the cent'],
    [100, [1, 1, 2], [25, 25, 50], 'what divides evenly is left alone'],
    [2, [1, 5, 4], [0, 1, 1], 'the largest remainder goes first, not the largest weight'],
    [1, [0, 7, 0], [0, 1, 0], 'a weight of zero gets nothing'],
    [-100, [1, 1, 1], [-34, -33, -33], 'a refund is the mirror image'],
    [99, [0, 0, 0], [99, 0, 0], 'when every weight is zero the first part takes it all'],
  ] as const)('%i over %j gives %j: %s', ([amount, weights, parts]) => {
    expect(allocate(money(amount), weights)).toEqual(parts);
  });

  test('adds up to the whole', () => {
    fc.assert(
      fc.property(anyMoney, anyWeights, (amount, weights) => {
        expect(sum(allocate(amount, weights))).toBe(amount);
      }),
    );
  });

  test('has no part a whole cent away from its exact share', () => {
    fc.assert(
      fc.property(anyMoney, anyWeights, (amount, weights) => {
        const total = totalOf(weights);
        fc.pre(!total.isZero());
        allocate(amount, weights).forEach((part, index) => {
          const share = new Exact(amount).mul(weights[index] ?? 0).div(total);
          expect(share.sub(part).abs().lt(1)).toBe(true);
        });
      }),
    );
  });

  test.for([
    [[], 'over no parts'],
    [[1, -1], 'with a weight below zero'],
    [[0.5], 'with a broken weight'],
    [[2 ** 53], 'with a weight that is not exact'],
  ] as const)('cannot be split over %j: %s', ([weights]) => {
    expect(() => allocate(ZERO, weights)).toThrow(DefectError);
  });
});
