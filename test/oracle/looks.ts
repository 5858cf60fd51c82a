import { type Element, elementOf, elementsOf } from './markup.ts';

/** How cells look, in words: of every style that cells have, and of every style that conditions give them. */
export type Looks = {
  readonly ofStyle: (index: number) => string;
  readonly ofCondition: (index: number) => string;
  /** What a number in a cell of this style is, as far as it changes how the number reads. */
  readonly kindOf: (index: number) => 'date' | 'time' | 'money' | 'other';
};

/** Number formats of Excel that files name by number alone. */
const BUILT_IN: Readonly<Record<string, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'm/d/yyyy',
  49: '@',
};

const FORMATS: Readonly<Record<string, string>> = {
  General: '',
  '@': 'text',
  '#,##0': 'whole number',
  '#,##0.00;(#,##0.00);-': 'money',
  '#,##0.00##;(#,##0.00##);-': 'price',
  '0.00%': 'percent',
  '0.000000%': 'rate',
  'yyyy-mm-dd': 'date',
  'yyyy-mm-dd hh:mm:ss': 'date and time',
};

const TEXT_COLOURS: Readonly<Record<string, string>> = {
  '1F2937': '',
  FFFFFF: 'white',
  '4B5563': 'grey',
  '1F3A5F': 'navy',
  '0B57D0': 'blue',
  '8A2C0D': 'brown',
  '14532D': 'green',
};

const FILLS: Readonly<Record<string, string>> = {
  '1F3A5F': 'heading fill',
  FFFDE7: 'to be filled in',
  FCE4D6: 'attention fill',
  E3F3E6: 'good fill',
};

export const looksOf = (styles: Element): Looks => {
  const codes = new Map(
    elementsOf(styles, 'numFmt').map(({ attributes }) => [
      attributes['numFmtId'],
      attributes['formatCode'] ?? '',
    ]),
  );
  const listed = (list: string, item: string): readonly Element[] => {
    const found = elementOf(styles, list);
    return found ? elementsOf(found, item) : [];
  };
  const [fonts, fills, borders] = [
    listed('fonts', 'font'),
    listed('fills', 'fill'),
    listed('borders', 'border'),
  ];
  const cells = listed('cellXfs', 'xf');
  const conditions = listed('dxfs', 'dxf');
  const codeOf = (cell: Element | undefined): string => {
    const id = cell?.attributes['numFmtId'] ?? '0';
    return codes.get(id) ?? BUILT_IN[id] ?? `number format ${id}`;
  };
  const looks = cells.map((cell) => {
    const part = (list: readonly Element[], id: string) => list[Number(cell.attributes[id] ?? 0)];
    return words([
      formatWords(codeOf(cell)),
      ...fontWords(part(fonts, 'fontId')),
      fillWords(part(fills, 'fillId')),
      ...alignmentWords(elementOf(cell, 'alignment')),
      borderWords(part(borders, 'borderId')),
      elementOf(cell, 'protection')?.attributes['locked'] === '0' ? 'unlocked' : '',
    ]);
  });
  return {
    ofStyle: (index) => looks[index] ?? '',
    ofCondition: (index) => {
      const given = conditions[index];
      const code = given && elementOf(given, 'numFmt')?.attributes['formatCode'];
      return words([
        code ? formatWords(code) : '',
        ...fontWords(given && elementOf(given, 'font')),
        fillWords(given && elementOf(given, 'fill')),
      ]);
    },
    kindOf: (index) => {
      const code = plainCode(codeOf(cells[index]));
      if (/^y|^m\/d/.test(code)) return code.includes('h') ? 'time' : 'date';
      return code.includes('0.00') && !code.includes('%') ? 'money' : 'other';
    },
  };
};

const words = (all: readonly string[]): string => all.filter((word) => word !== '').join(', ');

/** The number format without the signs of flags and without colour. */
const plainCode = (code: string): string => code.replace(/"[▲✓] "|\[Red\]/g, '');

const formatWords = (code: string): string => {
  const sign = /[▲✓]/.exec(code)?.[0];
  const plain = FORMATS[plainCode(code)] ?? `"${plainCode(code)}"`;
  return sign ? `${sign} ${plain}`.trim() : plain;
};

const fontWords = (font: Element | undefined): readonly string[] => {
  if (!font) return [];
  const [size, family] = [
    elementOf(font, 'sz')?.attributes['val'],
    elementOf(font, 'name')?.attributes['val'],
  ];
  return [
    elementOf(font, 'b') ? 'bold' : '',
    elementOf(font, 'i') ? 'italic' : '',
    elementOf(font, 'u') ? 'underlined' : '',
    colourWords(elementOf(font, 'color')?.attributes['rgb'], TEXT_COLOURS),
    size === undefined || size === '11' ? '' : `${size} points`,
    family === undefined || family === 'Calibri' ? '' : family,
  ];
};

const fillWords = (fill: Element | undefined): string => {
  const pattern = fill && elementOf(fill, 'patternFill');
  const colour = pattern && (elementOf(pattern, 'fgColor') ?? elementOf(pattern, 'bgColor'));
  return colourWords(colour?.attributes['rgb'], FILLS);
};

const colourWords = (argb: string | undefined, names: Readonly<Record<string, string>>): string => {
  if (argb === undefined) return '';
  const colour = argb.slice(-6).toUpperCase();
  return names[colour] ?? `#${colour}`;
};

const alignmentWords = (alignment: Element | undefined): readonly string[] => {
  const { horizontal, vertical, wrapText, indent, textRotation } = alignment?.attributes ?? {};
  return [
    horizontal ?? '',
    vertical === undefined || vertical === 'top' ? '' : vertical === 'center' ? 'middle' : vertical,
    wrapText === '1' || wrapText === 'true' ? 'wraps' : '',
    indent === undefined || indent === '0' ? '' : 'indented',
    textRotation === undefined ? '' : `turned ${textRotation}`,
  ];
};

const borderWords = (border: Element | undefined): string => {
  const sides = ['left', 'right', 'top', 'bottom'].flatMap((side) => {
    const style = border && elementOf(border, side)?.attributes['style'];
    return style === undefined ? [] : [`${style} line at the ${side}`];
  });
  if (sides.join() === 'hair line at the bottom') return 'ruled';
  return sides.join() === 'thin line at the top,double line at the bottom' ? 'total lines' : words(sides);
};
