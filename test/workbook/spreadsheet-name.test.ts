import { expect, test } from 'vitest';
import { columnLetter, tableNameOf } from '../../src/workbook/text.ts';

test.for([
  ['By state', 'By_state'],
  ['TX 01-114', 'TX_01_114'],
] as const)('the table of the sheet %s is called %s', ([sheet, table]) => {
  expect(tableNameOf(sheet)).toBe(table);
});

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
