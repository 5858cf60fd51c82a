import { describe, expect, test } from 'vitest';
import type { AmountExpression, Condition } from '../../src/sales/expression.ts';
import { rowReader } from '../../src/sales/row-reader.ts';
import { withoutEntities } from '../../src/sales/sale-words.ts';

const COLUMNS = ['Net', 'Fee', 'Blank', 'Text', 'Net'];
const read = rowReader(COLUMNS);
const row = { line: 2, cells: ['12.50', '-0.30', '  ', 'n/a', '99'] };

describe('an amount of a row', () => {
  test.for([
    ['Net', 125_000, 'a cell; of two columns with one name the first is meant'],
    ['Net (2)', 990_000, 'the second of them'],
    [{ orZero: 'Blank' }, 0, 'a blank that is said to be zero'],
    [{ sum: ['Net', 'Fee', { orZero: 'Blank' }] }, 122_000, 'a sum'],
    [{ subtract: ['Net', { sum: ['Fee', 'Fee'] }] }, 131_000, 'a difference, at any depth'],
  ] as const)('%j is %i: %s', ([expression, amount]) => {
    expect(read.amount(expression as AmountExpression)(row)).toBe(amount);
  });

  test.for([
    ['Blank', { problem: 'is blank', column: 'Blank', value: '' }, 'blank is not zero'],
    ['Text', { problem: 'is not an amount', column: 'Text', value: 'n/a' }, 'words are not amounts'],
    [
      { orZero: 'Text' },
      { problem: 'is not an amount', column: 'Text', value: 'n/a' },
      'only blanks are zero',
    ],
  ] as const)('%j is none: %j, %s', ([expression, problem]) => {
    expect(read.amount(expression as AmountExpression)(row)).toEqual(problem);
  });

  test.for([
    [[{ column: 'Text', in: ['Price'] }], 250_000, 'rows of one kind'],
    [
      [
        { column: 'Text', matches: 'tax' },
        { amount: 'Net', sign: 'positive' },
      ],
      20_000,
      'every test holds',
    ],
  ] as const)('of the rows for which %j is %i: %s', ([where, amount]) => {
    const rows = [
      ['25.00', 'Price'],
      ['2.00', 'Tax'],
      ['-2.00', 'Tax withheld'],
    ].map(([net = '', text = ''], at) => ({ line: at + 2, cells: [net, '', '', text] }));
    expect(read.amount({ sumRows: 'Net', where })(rows[0] as (typeof rows)[number], rows)).toBe(amount);
  });
});

describe('a text of a row', () => {
  test.for([
    ['Text', 'n/a', 'as it stands'],
    ['Blank', '', 'without blanks around it'],
    ['Missing', '', 'nothing where there is no such column'],
  ] as const)('%s is "%s": %s', ([column, text]) => {
    expect(read.text(column)(row)).toBe(text);
  });

  test.for([
    ['WC-777', '777', 'what stands behind a mark'],
    ['777', '777', 'a mark that may be missing'],
    ['refund', '', 'nothing where the expression does not match'],
  ] as const)('that is a part of "%s" is "%s": %s', ([cell, text]) => {
    const part = { partOf: 'A', matches: '^(?:WC-)?(\\d+)$' };
    expect(rowReader(['A']).text(part)({ line: 2, cells: [cell] })).toBe(text);
  });

  test('of a row cut short is blank', () => {
    expect(read.text('Text')({ line: 2, cells: ['1'] })).toBe('');
  });

  test.for([
    ["'=1+2", '=1+2', 'the apostrophe that guards a formula is not text'],
    ["'tis", "'tis", 'another apostrophe is'],
  ] as const)('%s is read as %s: %s', ([cell, text]) => {
    expect(rowReader(['A']).text('A')({ line: 2, cells: [cell] })).toBe(text);
  });
});

describe('a condition', () => {
  test.for([
    [{ column: 'Text', in: ['x', 'n/a'] }, true, 'one of the values'],
    [{ column: 'Text', in: ['N/A'] }, true, 'capitals make no difference'],
    [{ column: 'Text', in: ['n / a'] }, false, 'anything else does'],
    [{ column: 'Blank', is: 'filled' }, false, 'blanks are nothing'],
    [{ column: 'Blank', is: 'blank' }, true, 'and nothing is blank'],
  ] as const)('%j holds: %s, %s', ([condition, holds]) => {
    expect(read.holds(condition as unknown as Condition)(row)).toBe(holds);
  });
});

test.for([
  ['Salt &amp; Pepper', 'Salt & Pepper', 'the usual one'],
  ['Ann&#039;s &quot;best&quot;', 'Ann\'s "best"', 'quotes by number and by name'],
  ['&amp;amp;', '&amp;', 'what was encoded twice is decoded once'],
  ['AT&T; R&D', 'AT&T; R&D', 'an ampersand is not an entity'],
  ['&#0; &#xd800; &#1114112; &bogus;', '&#0; &#xd800; &#1114112; &bogus;', 'nor is what no text can hold'],
] as const)('%s is read as %s: %s', ([text, expected]) => {
  expect(withoutEntities(text)).toBe(expected);
});
