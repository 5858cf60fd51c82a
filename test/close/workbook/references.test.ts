import { describe, expect, test } from 'vitest';
import {
  quoted,
  type References,
  referencesFor,
  type TableShape,
} from '../../../src/close/workbook/references.ts';
import { DefectError } from '../../../src/kernel/errors.ts';

const table = (...parts: string[]): TableShape => ({
  columns: new Map([
    ['Transaction', 'id'],
    ['State', 'text'],
    ['Code', 'id'],
    ['Collected', 'money'],
  ]),
  parts,
});

const vocabulary = {
  tables: new Map([
    ['Detail', table('Detail')],
    ['Long', table('Long', 'Long_2')],
  ]),
  names: new Set(['TOLERANCE']),
};
const at = referencesFor(vocabulary, 'Detail');

describe('a formula is written in words', () => {
  test.for<[string, string, string]>([
    [at.cell('State'), 'Detail[[#This Row],[State]]', 'the cell in the same row'],
    [at.column('Detail', 'Collected'), 'Detail[Collected]', 'a column'],
    [at.sum('Detail', 'Collected'), 'SUM(Detail[Collected])', 'the sum of a column'],
    [
      at.sum('Long', 'Collected'),
      '(SUM(Long[Collected])+SUM(Long_2[Collected]))',
      'over the parts of a table',
    ],
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
      at.countIfs('Long', { State: quoted('CA') }),
      '(COUNTIFS(Long[State],"CA")+COUNTIFS(Long_2[State],"CA"))',
      'a count over the parts',
    ],
    [
      at.countIfs('Detail', { Code: quoted('06037') }),
      'SUMPRODUCT(--(Detail[Code]="06037"))',
      'of an identifier',
    ],
    [
      at.countNonZero('Long', 'Collected'),
      '(SUMPRODUCT(--(Long[Collected]<>0))+SUMPRODUCT(--(Long_2[Collected]<>0)))',
      'of what is not zero, without blank cells',
    ],
    [at.difference('A1', 'B1'), 'ROUND(A1-B1,2)', 'a difference to the cent'],
    [at.name('TOLERANCE'), 'TOLERANCE', 'a defined name'],
    [quoted('6" pipe'), '"6"" pipe"', 'a quotation mark in a text is doubled'],
  ])('%s', ([written, expected]) => {
    expect(written).toBe(expected);
  });

  test('in a part of a split table, the row is one of that part', () => {
    expect(referencesFor(vocabulary, 'Long', 'Long_2').cell('State')).toBe('Long_2[[#This Row],[State]]');
  });
});

describe('a formula that refers to nothing is refused', () => {
  test.for<[string, (at: References) => string]>([
    ['a table that is not there', (at) => at.sum('Details', 'Collected')],
    ['a column that is not there', (at) => at.sum('Detail', 'Colected')],
    ['a criterion on a column that is not there', (at) => at.sumIfs('Detail', 'Collected', { Sate: '"CA"' })],
    ['a cell of a column that is not there', (at) => at.cell('Colour')],
    ['a name that is not defined', (at) => at.name('TOLERANZ')],
    ['the column of a table that lies in two sheets', (at) => at.column('Long', 'Collected')],
  ])('%s', ([, write]) => {
    expect(() => write(at)).toThrow(DefectError);
  });

  test('a row, outside any table', () => {
    expect(() => referencesFor(vocabulary).cell('State')).toThrow(DefectError);
  });
});
