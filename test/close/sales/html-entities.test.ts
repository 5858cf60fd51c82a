import { expect, test } from 'vitest';
import { rowReader, withoutEntities } from '../../../src/close/sales/row-reader.ts';

test.for([
  ['Salt &amp; Pepper', 'Salt & Pepper', 'the usual one'],
  ['Ann&#039;s &quot;best&quot;', 'Ann\'s "best"', 'quotes by number and by name'],
  ['2&#215;4 &#x2013; small', '2\u00d74 \u2013 small', 'numbers of both kinds'],
  ['Caf&eacute;&nbsp;cup', 'Caf\u00e9 cup', 'letters'],
  ['&amp;amp;', '&amp;', 'what was encoded twice is decoded once'],
  ['AT&T; R&D', 'AT&T; R&D', 'an ampersand is not an entity'],
  ['&#0; &#xd800; &#1114112; &bogus;', '&#0; &#xd800; &#1114112; &bogus;', 'nor is what no text can hold'],
] as const)('%s is read as %s: %s', ([text, expected]) => {
  expect(withoutEntities(text)).toBe(expected);
});

test('cells are read without entities, and kept with them', () => {
  const row = { line: 2, cells: ['Mug &amp; Cup'] };
  expect(rowReader(['Name']).text('Name')(row)).toBe('Mug & Cup');
  expect(row.cells).toEqual(['Mug &amp; Cup']);
});
