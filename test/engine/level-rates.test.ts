import { describe, expect, test } from 'vitest';
import { capLocal } from '../../src/engine/tax-table.ts';

describe('a cap on all local taxes together', () => {
  test.for([
    [[625, 50, 100, 50], 200, [625, 50, 100, 50], 'nothing to cut'],
    [[625, 50, 150, 50], 200, [625, 50, 150, 0], 'the districts give way first'],
    [[625, 50, 250, 50], 200, [625, 50, 150, 0], 'then the city'],
    [[625, 300, 0, 0], 200, [625, 200, 0, 0], 'the county last'],
  ] as const)('%j under %d is %j: %s', ([rates, cap, capped]) => {
    expect(capLocal(rates, cap)).toEqual(capped);
  });
});
