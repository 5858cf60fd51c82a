import { describe, expect, test } from 'vitest';
import { columnLetter, lineCount, rowHeight, textLines } from '../../src/workbook/text.ts';

describe('prose', () => {
  test.for([
    ['one two three', 7, ['one two', 'three'], 'breaks between words'],
    ['one', 2, ['one'], 'keeps a word whole'],
    ['a\n\nb', 9, ['a', '', 'b'], 'keeps its own breaks'],
    ['', 9, [''], 'of nothing is one empty line'],
  ] as const)('%j at %i characters is %j: it %s', ([prose, width, lines]) => {
    expect(textLines(prose, width)).toEqual(lines);
  });

  test('in a cell breaks within a word where it must', () => {
    expect(lineCount('abcdefgh', 3)).toBe(3);
    expect(lineCount('ab cd', 3)).toBe(2);
    expect(lineCount('x/yyyyy/zzzzz', 7)).toBe(3);
    expect(lineCount('see x/yyyyy/zzzzz', 7)).toBe(4);
  });

  test('makes no row higher than a sheet allows', () => {
    expect(rowHeight(2)).toBe(30);
    expect(rowHeight(500)).toBe(409);
  });
});

test('columns are counted in letters', () => {
  expect([1, 26, 27, 702, 703, 16_384].map(columnLetter)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']);
});
