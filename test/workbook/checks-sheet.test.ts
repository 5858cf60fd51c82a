import { describe, expect, test } from 'vitest';
import { money } from '../../src/kernel/money.ts';
import { formula } from '../../src/workbook/cell.ts';
import { type Check, passes } from '../../src/workbook/checks-sheet.ts';

const ties = (left: number, right: number, tolerance?: number): Check => ({
  id: 'C1',
  test: 'Left is right.',
  format: 'money',
  left: money(left),
  right: formula('1', money(right)),
  ...(tolerance === undefined ? {} : { tolerance }),
});

describe('a check', () => {
  test.for([
    [100, 100, undefined, true, 'equal'],
    [101, 100, undefined, false, 'a cent apart'],
    [101, 100, 1, true, 'a cent apart is allowed'],
    [98, 100, 1, false, 'apart to the other side'],
  ] as const)('of %i and %i within %s passes: %s (%s)', ([left, right, tolerance, expected]) => {
    expect(passes(ties(left, right, tolerance))).toBe(expected);
  });
});
