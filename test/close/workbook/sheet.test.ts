import { describe, expect, test } from 'vitest';
import { type Column, defineSheet } from '../../../src/close/workbook/sheet.ts';
import { DefectError } from '../../../src/kernel/errors.ts';

const key: Column<string> = { title: 'Id', width: 8, format: 'id', value: (row) => row };

describe('a sheet cannot be defined', () => {
  test.for<[string, object]>([
    ['with a name Excel refuses', { name: 'a/b', columns: [key] }],
    ['with a table called like a cell', { name: 'TX1', columns: [key] }],
    ['with one title twice', { name: 'Data', columns: [key, key] }],
    ['with a sum of texts', { name: 'Data', columns: [key, { ...key, title: 'Word', total: 'sum' }] }],
    ['with a total where the totals are labelled', { name: 'Data', columns: [{ ...key, total: 'count' }] }],
    [
      'with a total called like a cell',
      { name: 'Data', columns: [key, { ...key, title: 'N', totalName: 'A1' }] },
    ],
    ['with a choice that holds a comma', { name: 'Data', columns: [{ ...key, review: ['a,b'] }] }],
  ])('%s', ([, sheet]) => {
    expect(() => defineSheet(sheet as Parameters<typeof defineSheet>[0])).toThrow(DefectError);
  });

  test('but is what it was defined as otherwise', () => {
    expect(defineSheet({ name: 'Data', columns: [key] }).columns).toEqual([key]);
  });
});
