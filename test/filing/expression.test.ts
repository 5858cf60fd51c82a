import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Environment,
  evaluate,
  parseExpression,
  roundExact,
  spreadsheetFormula,
} from '../../src/filing/formula.ts';
import { Exact } from '../../src/kernel/decimal.ts';
import { money } from '../../src/kernel/money.ts';
import { dollars, rateOf } from './figures-of.ts';

const environment: Environment = {
  figure: (name) => dollars({ taxable: '1234.56', excess: '7.89' }[name] ?? '0'),
  line: (line) => dollars({ '1': '1000.00', '5a': '250.50', 'Part B': '3.00' }[line] ?? '0'),
  rate: (name) => rateOf({ state: '0.0625', food: '0.01' }[name] ?? '0'),
  schedule: (_, column) => dollars(column === 'tax' ? '12.34' : '200.00'),
  taxableAt: (rate) => (rate === rateOf('0.01') ? dollars('99.99') : dollars('0')),
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
    expect(roundExact(evaluate(parseExpression(text), environment), round)).toBe(dollars(amount));
  });

  test.each([
    ['[1] +', 'a value is expected, and the end found'],
    ['[1] [2]', 'the end is expected, and "[2]" at 5 found'],
    ['taxable * excess', 'only an amount can be taken times a rate'],
    ['taxable + rate.state', 'an amount and a rate cannot be added'],
    ['0.0625 * taxable', '".0625 * " means nothing'],
    ['sqrt(taxable)', 'there is no sqrt of 1'],
    ['taxable; drop', '"; drop" means nothing'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => parseExpression(text)).toThrow(message);
  });

  test('no amount, however large, is computed with binary fractions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9_000_000_000_000, max: 9_000_000_000_000 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        (cents, tenMillionths) => {
          const given = { ...environment, figure: () => money(cents), rate: () => tenMillionths as never };
          const amount = roundExact(evaluate(parseExpression('taxable * rate.state'), given), 'cents');
          const reference = new Exact(cents).times(tenMillionths).dividedBy(10_000_000).round();
          expect(amount).toBe(reference.toNumber() + 0);
        },
      ),
    );
  });

  test('becomes a spreadsheet formula that says the same', () => {
    const fragments = {
      figure: (name: string) => `F_${name}`,
      line: (line: string) => `L_${line}`,
      rate: (name: string) => `R_${name}`,
      schedule: (name: string, column: string) => `S_${name}_${column}`,
      taxableAt: (rate: string) => `T_${rate}`,
    };
    const formula = (text: string) => spreadsheetFormula(parseExpression(text), 'dollars', fragments);
    expect(formula('([1] - taxable_at(rate.food)) * rate.state - excess')).toBe(
      'ROUND((L_1-T_food)*R_state-F_excess,0)',
    );
    expect(formula('[1] - ([2] - max(0, schedule.local.tax))')).toBe('ROUND(L_1-(L_2-MAX(0,S_local_tax)),0)');
  });
});
