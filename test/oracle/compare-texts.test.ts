import { describe, expect, test } from 'vitest';
import { compareTexts, differencesText } from './compare-texts.ts';
import { type Grid, gridText, parseGrid } from './grid.ts';
import { relativeFormula } from './relative-formula.ts';

type Sale = readonly [state: string, orders: string, recorded: string];

const SALES: readonly Sale[] = [
  ['AZ', '6', '14.10'],
  ['CA', '78', '812.44'],
  ['CO', '3', '30.18'],
];

const columns = (cells: readonly string[], row: number): readonly (readonly [string, string])[] =>
  cells.map((cell, index) => [`${'ABC'[index]}${row}`, cell]);

/** A sheet with a title, a heading, a row for each sale, and a total. */
const sheet = (sales: readonly Sale[], total = 'SUM'): string => {
  const last = 3 + sales.length;
  const formulas = [
    ...sales.map((_, index) => [`C${index + 4}`, `ROUND(B${index + 4}*2|1,2)`] as const),
    [`C${last + 1}`, `${total}(C4:C${last})`] as const,
  ];
  const grid: Grid = {
    setUp: ['frozen before B4'],
    values: new Map([
      ['A1', 'By state\nof the month | all'],
      ...columns(['State', 'Orders', 'Recorded'], 3),
      ...sales.flatMap((sale, index) => columns(sale, index + 4)),
      [`A${last + 1}`, 'Total'],
    ]),
    formulas: new Map(
      formulas.map(([address, formula]) => {
        const place = { row: Number(address.slice(1)), column: 3 };
        return [address, relativeFormula(formula, place)];
      }),
    ),
    looks: new Map([
      ...columns(['State', 'Orders', 'Recorded'], 3).map(([address]) => [address, 'heading fill'] as const),
      ...sales.map((_, index) => [`C${index + 4}`, 'money, right'] as const),
    ]),
  };
  return gridText(grid);
};

const told = (was: Record<string, string>, is: Record<string, string>): string =>
  differencesText('sample-month', compareTexts(new Map(Object.entries(was)), new Map(Object.entries(is))));

const BY_STATE = 'variance.xlsx/By state.txt';
const kept = { [BY_STATE]: sheet(SALES) };

describe('what the oracle says', () => {
  test('nothing of what is the same', () => {
    expect(told(kept, { [BY_STATE]: sheet(SALES) })).toBe('');
  });

  test('a changed cell is named by its row and its column', () => {
    const changed = sheet(
      SALES.map(([state, ...others]) => (state === 'CA' ? ['CA', '78', '812.45'] : [state, ...others])),
    );
    expect(told(kept, { [BY_STATE]: changed })).toBe(
      'sample-month, variance.xlsx, By state, row "CA", column "Recorded": was 812.44, is 812.45\n',
    );
  });

  test('a cell that is emptied says so', () => {
    const changed = sheet(SALES.map(([state, , recorded]) => [state, state === 'CO' ? '' : '6', recorded]));
    expect(
      told(
        { [BY_STATE]: sheet(SALES.map(([state, , recorded]) => [state, '6', recorded])) },
        { [BY_STATE]: changed },
      ),
    ).toBe('sample-month, variance.xlsx, By state, row "CO", column "Orders": was 6, is empty\n');
  });

  test('an added row is new, and the rows below it are the same, though all of them have moved', () => {
    const added = sheet([...SALES.slice(0, 1), ['CA', '1', '2.00'], ...SALES.slice(1)]);
    const lines = told(kept, { [BY_STATE]: added }).split('\n');
    expect(lines[0]).toBe('sample-month, variance.xlsx, By state, row "CA, 1" is new: CA | 1 | 2.00');
    expect(lines.slice(1)).toEqual([
      'sample-month, variance.xlsx, By state, row "Total", column "Recorded", formula: was SUM(C4:C6), is SUM(C4:C7)',
      '',
    ]);
  });

  test('a row that is gone is shown', () => {
    expect(told(kept, { [BY_STATE]: sheet(SALES.slice(1)) })).toContain('row "AZ" is gone: AZ | 6 | 14.10\n');
  });

  test('another formula is told apart from another value', () => {
    expect(told(kept, { [BY_STATE]: sheet(SALES, 'SUBTOTAL') })).toBe(
      'sample-month, variance.xlsx, By state, row "Total", column "Recorded", formula: was SUM(C4:C6), is SUBTOTAL(C4:C6)\n',
    );
  });

  test('another look and another set-up are told', () => {
    const changed = sheet(SALES).replace('money, right', 'date, right').replace('before B4', 'before C4');
    expect(told(kept, { [BY_STATE]: changed }).split('\n')).toEqual([
      ...['AZ', 'CA', 'CO'].map(
        (state) =>
          `sample-month, variance.xlsx, By state, row "${state}", column "Recorded", look: was money, right, is date, right`,
      ),
      'sample-month, variance.xlsx, By state, set-up line 1: - frozen before B4',
      'sample-month, variance.xlsx, By state, set-up line 1: + frozen before C4',
      '',
    ]);
  });

  test('a missing sheet and a new file are told by their names', () => {
    expect(told(kept, { 'upload/NY.csv': 'a\n' })).toBe(
      'sample-month, upload, NY.csv: the file is new\nsample-month, variance.xlsx, By state: the sheet is missing\n',
    );
  });

  test('lines of other files are shown with their numbers', () => {
    expect(told({ 'upload/NY.csv': 'a\nb\nc\n' }, { 'upload/NY.csv': 'a\nB\nc\n' })).toBe(
      'sample-month, upload, NY.csv, line 2: - b\nsample-month, upload, NY.csv, line 2: + B\n',
    );
  });

  test('of many differences in one file the first are shown, and the rest are counted', () => {
    const lines = (from: number) => Array.from({ length: 20 }, (_, index) => `${from + index}\n`).join('');
    const shown = told({ 'a.csv': lines(0) }, { 'a.csv': lines(100) }).split('\n');
    expect(shown.at(-2)).toBe('sample-month, a.csv: and 25 more');
    expect(shown).toHaveLength(17);
  });
});

test('a sheet is the same when its text is read again', () => {
  expect(gridText(parseGrid(sheet(SALES)))).toBe(sheet(SALES));
  expect(parseGrid(sheet(SALES)).values.get('A1')).toBe('By state\nof the month | all');
});
