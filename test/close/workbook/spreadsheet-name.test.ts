import { describe, expect, test } from 'vitest';
import {
  checkChoices,
  checkDefinedName,
  checkSheetName,
  checkTitles,
  partName,
  tableNameOf,
} from '../../../src/close/workbook/spreadsheet-name.ts';
import { DefectError } from '../../../src/kernel/errors.ts';

describe('names in a workbook', () => {
  test.for([
    ['', 'empty'],
    ['x'.repeat(32), '32 characters'],
    ['a/b', 'a slash'],
    ['a[1]', 'brackets'],
    ["Owner's", 'an apostrophe'],
  ] as const)('a sheet cannot be called %j: %s', ([name]) => {
    expect(() => checkSheetName(name)).toThrow(DefectError);
  });

  test.for([['By state'], ['x'.repeat(31)], ['R&D']] as const)('a sheet can be called %j', ([name]) => {
    expect(() => checkSheetName(name)).not.toThrow();
  });

  test.for([
    ['TX1', 'a cell'],
    ['XFD1048576', 'the last cell'],
    ['R1C1', 'a cell by row and column'],
    ['r', 'a row'],
    ['By state', 'a blank'],
    ['1st', 'a leading digit'],
    ['', 'empty'],
  ] as const)('a table or parameter cannot be called %j: %s', ([name]) => {
    expect(() => checkDefinedName(name)).toThrow(DefectError);
  });

  test.for([['Detail'], ['By_state'], ['ALL_OK'], ['Detail_2'], ['Rates2026']] as const)(
    'a table or parameter can be called %j',
    ([name]) => {
      expect(() => checkDefinedName(name)).not.toThrow();
    },
  );

  test.for([
    [['State', 'state'], 'two that differ in case only'],
    [['Tax [cents]'], 'brackets'],
    [['Row #'], 'a number sign'],
    [["Buyer's state"], 'an apostrophe'],
    [[' State'], 'a leading blank'],
    [[''], 'empty'],
  ] as const)('columns cannot be called %j: %s', ([titles]) => {
    expect(() => checkTitles(titles)).toThrow(DefectError);
  });

  test.for([
    [['Agree, partly'], 'a comma would make two of it'],
    [['x'.repeat(256)], 'too long'],
    [['Agree', ''], 'a word that is none'],
  ] as const)('a reviewer cannot choose from %j: %s', ([words]) => {
    expect(() => checkChoices(words)).toThrow(DefectError);
  });

  test('the table of a sheet is called after it, and the parts of a table are numbered', () => {
    expect(tableNameOf('By state')).toBe('By_state');
    expect([1, 2, 3].map((part) => partName('Detail', part))).toEqual(['Detail', 'Detail_2', 'Detail_3']);
  });
});
