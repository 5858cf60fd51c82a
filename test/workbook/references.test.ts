import { describe, expect, test } from 'vitest';
import { DefectError } from '../../src/kernel/errors.ts';
import { quoted, type References, referencesFor, type TableShape } from '../../src/workbook/cell.ts';

const detail: TableShape = {
  columns: new Map([
    ['Transaction', 'id'],
    ['State', 'text'],
    ['Code', 'id'],
    ['Collected', 'money'],
  ]),
  rangeOf: (title) => `Detail[${title}]`,
  addressOf: (title, row) => (title === 'Collected' && row === 0 ? "'Detail'!$D$5" : undefined),
};

const vocabulary = new Map([
  ['Detail', detail],
  ['Groups', { ...detail, rangeOf: (title: string) => `Groups[${title}]`, countedBy: 'Sales' }],
]);
const at = referencesFor(vocabulary, 'Detail');

describe('a formula is written in words', () => {
  test.for<[string, string, string]>([
    [at.cell('State'), 'Detail[[#This Row],[State]]', 'the cell in the same row'],
    [at.column('Detail', 'Collected'), 'Detail[Collected]', 'a column'],
    [at.sum('Detail', 'Collected'), 'SUM(Detail[Collected])', 'the sum of a column'],
    [at.rows('Detail'), 'COUNTA(Detail[Transaction])', 'the column that is never blank counts the rows'],
    [
      at.sumIfs('Detail', 'Collected', { State: quoted('CA') }),
      'SUMIFS(Detail[Collected],Detail[State],"CA")',
      'a sum by a word',
    ],
    [
      at.sumIfs('Detail', 'Collected', { State: at.cell('State'), Code: at.cell('Code') }),
      'SUMPRODUCT(--(Detail[State]=Detail[[#This Row],[State]]),--(Detail[Code]=Detail[[#This Row],[Code]]),Detail[Collected])',
      'identifiers are compared as text',
    ],
    [
      at.countIfs('Groups', { State: quoted('CA') }),
      'SUMIFS(Groups[Sales],Groups[State],"CA")',
      'a count of what rows stand for',
    ],
    [
      at.countIfs('Detail', { Code: quoted('06037') }),
      'SUMPRODUCT(--(Detail[Code]="06037"))',
      'of an identifier',
    ],
    [
      at.countNonZero('Detail', 'Collected'),
      'SUMPRODUCT(--(Detail[Collected]<>0))',
      'of what is not zero, without blank cells',
    ],
    [at.cellAt('Detail', 'Collected', 0), "'Detail'!$D$5", 'a cell of another row'],
    [at.difference('A1', 'B1'), 'ROUND(A1-B1,2)', 'a difference to the cent'],
    [quoted('6" pipe'), '"6"" pipe"', 'a quotation mark in a text is doubled'],
  ])('%s', ([written, expected]) => {
    expect(written).toBe(expected);
  });
});

test.for<[string, (at: References) => string]>([
  ['a table that is not there', (at) => at.sum('Details', 'Collected')],
  ['a row that is not there', (at) => at.cellAt('Detail', 'Collected', 1)],
])('a formula cannot refer to %s', ([, write]) => {
  expect(() => write(at)).toThrow(DefectError);
});
