import { describe, expect, test } from 'vitest';
import {
  evaluate,
  exactOfMoney,
  exactOfRate,
  type Name,
  parseExpression,
  roundExact,
} from '../../src/filing/formula.ts';
import { dollars, rateOf } from './figures-of.ts';

const AMOUNTS: Record<string, string> = {
  taxable: '1234.56',
  excess: '7.89',
  '1': '1000.00',
  '5a': '250.50',
  'Part B': '3.00',
  food: '99.99',
};
const RATES: Record<string, string> = { state: '0.0625', food: '0.01' };

const exactOf = ({ kind, name, column }: Name) => {
  if (kind === 'rate') return exactOfRate(rateOf(RATES[name] ?? '0'));
  if (kind === 'schedule') return exactOfMoney(dollars(column === 'tax' ? '12.34' : '200.00'));
  return exactOfMoney(dollars(AMOUNTS[name] ?? '0'));
};

describe('a line’s formula', () => {
  test.each([
    ['[1]', 'cents', '1000.00', 'another line'],
    ['[5a] + [Part B]', 'cents', '253.50', 'lines whose numbers are words'],
    ['[1] - [5a] - [Part B]', 'cents', '746.50', 'taking off from left to right'],
    ['[1] - ([5a] - [Part B])', 'cents', '752.50', 'brackets'],
    ['taxable * rate.state', 'cents', '77.16', '1234.56 × 0.0625 = 77.16'],
    ['taxable * rate.state', 'dollars', '77.00', 'rounded once, from the exact product'],
    ['(taxable + excess) * (rate.state + rate.food)', 'cents', '90.08', '1242.45 × 0.0725 = 90.077625'],
    ['dollars(taxable) * rate.state', 'cents', '77.19', '1235 × 0.0625 = 77.1875'],
    ['max(0, [1] - taxable)', 'cents', '0.00', 'nothing below zero'],
    ['taxable_at(rate.food)', 'cents', '99.99', 'the sales that the state taxes at one rate'],
    ['schedule.local.tax + schedule.local.taxable', 'cents', '212.34', 'totals of a schedule'],
    ['0 - [1]', 'cents', '-1000.00', 'an amount with its sign turned'],
  ] as const)('%s in %s is %s: %s', (text, round, amount, _why) => {
    expect(roundExact(evaluate(parseExpression(text), exactOf), round)).toBe(dollars(amount));
  });

  test.each([
    ['[1] +', 'a value is expected, and the end found'],
    ['[1] [2]', 'the end is expected, and "[2]" at 5 found'],
    ['0.0625 * taxable', '".0625 * " means nothing'],
    ['sqrt(taxable)', 'there is no sqrt of 1'],
    ['taxable; drop', '"; drop" means nothing'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => parseExpression(text)).toThrow(message);
  });
});
