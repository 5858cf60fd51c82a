import { type Element, elementOf, elementsOf } from './markup.ts';

/** What a number in a cell is, as far as it changes how the number reads. */
export type NumberKind = 'date' | 'time' | 'money' | 'other';

/** Number formats of Excel for days and money that files name by number alone. */
const BUILT_IN: Readonly<Record<string, string>> = { 2: '0.00', 4: '#,##0.00', 14: 'm/d/yyyy' };

/** The kinds of the styles of cells, by their numbers. */
export const kindsOf = (styles: Element): readonly NumberKind[] => {
  const codes = new Map(
    elementsOf(styles, 'numFmt').map(({ attributes }) => [
      attributes['numFmtId'],
      attributes['formatCode'] ?? '',
    ]),
  );
  const cells = elementOf(styles, 'cellXfs');
  return (cells ? elementsOf(cells, 'xf') : []).map(({ attributes }) => {
    const id = attributes['numFmtId'] ?? '0';
    // Without the signs of flags, and without colour.
    const code = (codes.get(id) ?? BUILT_IN[id] ?? '').replace(/"[▲✓] "|\[Red\]/g, '');
    if (/^y|^m\/d|^\[\$-409\]/.test(code)) return code.includes('h') ? 'time' : 'date';
    return code.includes('0.00') && !code.includes('%') ? 'money' : 'other';
  });
};
