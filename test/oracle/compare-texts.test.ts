import { expect, test } from 'vitest';
import { compareTexts, differencesText } from './compare-texts.ts';

const told = (was: Record<string, string>, is: Record<string, string>): string =>
  differencesText('sample-month', compareTexts(new Map(Object.entries(was)), new Map(Object.entries(is))));

const BY_STATE = 'variance.xlsx/By state.txt';
const SHEET = 'cells\n4 | AZ | 14.10\n5 | CA | 812.44\n6 | CO | 30.18\n';

test.for([
  ['nothing of what is the same', SHEET, ''],
  ['a changed cell, by its row', SHEET.replace('812.44', '812.45'), ', - | CA | 812.44;, + | CA | 812.45;'],
  [
    'a new row, and no row below it',
    SHEET.replace('5 | CA | 812.44\n6', '5 | C | 1\n6 | CA | 812.44\n7'),
    ', + | C | 1;',
  ],
  ['a row that is gone', SHEET.replace('4 | AZ | 14.10\n', ''), ', - | AZ | 14.10;'],
  ['a row that stands twice', `${SHEET}7 | CO | 30.18\n`, ', + | CO | 30.18;'],
  [
    'another order',
    'cells\n4 | CA | 812.44\n5 | AZ | 14.10\n6 | CO | 30.18\n',
    ': the same lines stand in another order;',
  ],
] as const)('the oracle tells %s', ([, is, differences]) => {
  const lines = differences.split(';').slice(0, -1);
  const expected = lines.map((line) => `sample-month, variance.xlsx, By state${line}\n`).join('');
  expect(told({ [BY_STATE]: SHEET }, { [BY_STATE]: is })).toBe(expected);
});

test('the oracle tells files that are new or missing, and of many differences the first and how many follow', () => {
  expect(told({ [BY_STATE]: SHEET }, { 'upload/NY.csv': 'a\n' })).toBe(
    'sample-month, upload, NY.csv: it is new\nsample-month, variance.xlsx, By state: it is missing\n',
  );
  const lines = (from: number) => Array.from({ length: 20 }, (_, index) => `${from + index}\n`).join('');
  const shown = told({ 'a.csv': lines(0) }, { 'a.csv': lines(100) }).split('\n');
  expect([shown.length, shown.at(-2)]).toEqual([17, 'sample-month, a.csv: and 25 more']);
});
