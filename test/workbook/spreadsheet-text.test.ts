import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { needsSpacePreserved, spreadsheetText, textEnd } from '../../src/workbook/text.ts';

describe('text in a sheet', () => {
  test.for([
    ['a\tb\nc', 'a\tb\nc', 'tabs and line feeds are text'],
    ['a\rb', 'a_x000D_b', 'XML readers would turn a carriage return into a line feed'],
    ['bell\u0007', 'bell_x0007_', 'XML has no control characters'],
    ['_x0041_', '_x005F_x0041_', 'what looks like an escape is escaped'],
    ['half \ud83d', 'half \ufffd', 'half a character cannot be written'],
  ] as const)('%j is stored as %j: %s', ([text, stored]) => {
    expect(spreadsheetText(text)).toBe(stored);
  });

  test('that is too long says that it was cut', () => {
    expect(spreadsheetText('x'.repeat(32_767))).toHaveLength(32_767);
    const cut = spreadsheetText('x'.repeat(32_768));
    expect(cut).toHaveLength(32_767);
    expect(cut).toMatch(/x \[cut: a cell holds 32,767 characters\]$/);
  });

  test('never breaks out of its cell, and can be read back whole', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const xml = textEnd(text);
        const content = /^ t="inlineStr"><is><t[^<>]*>([^<>]*)<\/t><\/is><\/c>$/s.exec(xml)?.[1];
        const characters = (content ?? '')
          .replace(
            /&(amp|lt|gt|quot);/g,
            (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as 'amp'],
          )
          .replace(/_x([0-9A-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
        expect(characters).toBe(text.toWellFormed());
      }),
    ));

  test.for([
    [' a', true, 'a leading blank'],
    ['a ', true, 'a trailing blank'],
    ['a  b', true, 'two blanks'],
    ['a\nb', true, 'a line feed'],
    ['a b', false, 'single blanks survive'],
  ] as const)('%j needs its blanks preserved: %s', ([text, needed]) => {
    expect(needsSpacePreserved(text)).toBe(needed);
  });
});
