import { expect, test } from 'vitest';
import { columnLetter } from '../../../src/close/workbook/spreadsheet-name.ts';

test.for([
  [1, 'A'],
  [26, 'Z'],
  [27, 'AA'],
  [52, 'AZ'],
  [702, 'ZZ'],
  [703, 'AAA'],
  [16_384, 'XFD'],
] as const)('column %i is %s', ([column, letter]) => {
  expect(columnLetter(column)).toBe(letter);
});
