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
  '#,##0_);(#,##0);"–"_)': 'whole number',
  '#,##0.00_);(#,##0.00);"–"_)': 'money',
  '$#,##0.00_);($#,##0.00);"–"_)': 'dollars',
  '+#,##0.00_);(#,##0.00);"–"_)': 'change',
  '#,##0.00##_);(#,##0.00##);"–"_)': 'price',
  '0.00%_);(0.00%);"–"_)': 'percent',
  '0.00##%': 'rate',
  '[$-409]ddd, mmm d': 'deadline',
  '[$-409]mmm d, yyyy': 'day',
  'yyyy-mm-dd': 'date',
  'yyyy-mm-dd hh:mm:ss': 'date and time',
};

const TEXT_COLOURS: Readonly<Record<string, string>> = {
  '1B2733': '',
  FFFFFF: 'white',
  '5B6875': 'grey',
  '14365C': 'navy',
  '0B4F9E': 'blue',
  '8E1538': 'wine',
  '0B5C43': 'green',
};

const FILLS: Readonly<Record<string, string>> = {
  E8EEF4: 'heading fill',
  F5F7FA: 'panel fill',
  FFF7D1: 'to be filled in',
  F9E1E8: 'attention fill',
  DDF1E8: 'good fill',
  ECEFF2: 'idle fill',
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
      if (/^y|^m\/d|^\[\$-409\]/.test(code)) return code.includes('h') ? 'time' : 'date';
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
  if (sides.join() === 'thin line at the bottom') return 'ruled';
  return sides.join() === 'thin line at the top,double line at the bottom' ? 'total lines' : words(sides);
};
