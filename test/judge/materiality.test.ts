import { expect, test } from 'vitest';
import { isMaterial } from '../../src/judge/period-totals.ts';
import { money, rate } from '../../src/kernel/money.ts';

/** Above 25.00 and above 0.5 %. */
const POLICY = { amount: money(2500), share: rate(50_000) };
const ANYTHING = { amount: money(0), share: rate(0) };

test.for([
  [2501, 100_000, POLICY, true, 'above both'],
  [-2501, -100_000, POLICY, true, 'in either direction'],
  [2500, 100_000, POLICY, false, 'at the amount'],
  [5000, 1_000_000, POLICY, false, 'at the share'],
  [5001, 1_000_000, POLICY, true, 'a cent above it'],
  [2000, 1000, POLICY, false, 'a large share of little'],
  [2501, 0, POLICY, true, 'where nothing was expected'],
  [1, 1_000_000, ANYTHING, true, 'any cent without a policy'],
  [0, 1_000_000, ANYTHING, false, 'no variance at all'],
] as const)(
  '%i cents of %i expected: material under the policy %j is %s, %s',
  ([variance, expected, policy, is]) => {
    expect(isMaterial(money(variance), money(expected), policy)).toBe(is);
  },
);
