import type { Alignment, Borders, Fill, Font, Style } from 'exceljs';
import type { Flag } from './cell.ts';
import { type Format, ruleOf } from './format.ts';
import { GREY, HEADER_FILL, INK, LINK, NAVY, RULE, TONES } from './palette.ts';

export const FONT: Partial<Font> = { name: 'Calibri', family: 2, size: 11, color: { argb: INK } };
export const solid = (argb: string): Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });
export const UNDERLINED: Partial<Borders> = { bottom: { style: 'thin', color: { argb: RULE } } };

/** Dark text on a light fill. Every flag also has a sign, so that colour is not the only signal. */
const FLAGS: {
  readonly [F in Flag]: { readonly sign: string; readonly ink: string; readonly fill: string };
} = {
  attention: { sign: '▲', ...TONES.attention },
  good: { sign: '✓', ...TONES.good },
};

/**
 * The number format with a sign before each of its sections and in the flag's own colour:
 * `"▲ "#,##0.00;"▲ "(#,##0.00);"▲ "-`.
 */
const withSign = (code: string, sign: string): string =>
  code
    .split(';')
    .map((section) => `"${sign} "${section.replace('General', '@')}`)
    .join(';');

/** Indents text slightly, so that it does not touch a right-aligned figure in the column before. */
export const aligned = (horizontal: 'left' | 'right' | 'center'): Partial<Alignment> =>
  horizontal === 'left' ? { horizontal, indent: 1 } : { horizontal };

/**
 * Returns the same style object for the same arguments. exceljs numbers a style object that it has seen before without
 * serializing it again, which is most of its work on a small workbook.
 */
export const shared = <Arguments extends readonly unknown[]>(
  styleOf: (...traits: Arguments) => Partial<Style>,
): ((...traits: Arguments) => Partial<Style>) => {
  const styles = new Map<string, Partial<Style>>();
  return (...traits) => {
    const key = JSON.stringify(traits);
    const style = styles.get(key) ?? styleOf(...traits);
    styles.set(key, style);
    return style;
  };
};

export type CellTraits = {
  readonly flag?: Flag | undefined;
  readonly wrap?: boolean;
  readonly link?: boolean;
};

export const cellStyle = shared((format: Format, { flag, wrap, link }: CellTraits) => {
  const { code, align } = ruleOf(format);
  const marked = flag && FLAGS[flag];
  const font = link ? { ...FONT, color: { argb: LINK }, underline: true } : FONT;
  return {
    numFmt: marked ? withSign(code, marked.sign) : code,
    font: marked ? { ...font, bold: true, color: { argb: marked.ink } } : font,
    alignment: { ...aligned(align), vertical: 'top', wrapText: wrap ?? false },
    border: UNDERLINED,
    ...(marked && { fill: solid(marked.fill) }),
  };
});

/** Returns the style that a conditional format applies to flagged cells. */
export const flagStyle = (format: Format, flag: Flag): Partial<Style> => {
  const { sign, ink, fill } = FLAGS[flag];
  return {
    numFmt: withSign(ruleOf(format).code, sign),
    font: { bold: true, color: { argb: ink } },
    // In a differential style the visible colour of a solid fill is its background colour.
    fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: fill } },
  };
};

export const headerStyle = shared((align: 'left' | 'right' | 'center') => ({
  font: { ...FONT, bold: true, color: { argb: NAVY } },
  fill: solid(HEADER_FILL),
  // Right-aligned titles also keep a distance from the next title.
  alignment: {
    ...aligned(align),
    ...(align === 'right' && { indent: 1 }),
    vertical: 'top',
    wrapText: true,
  },
  border: { bottom: { style: 'medium', color: { argb: NAVY } } },
}));

export const totalStyle = shared((format: Format) => ({
  numFmt: ruleOf(format).code,
  font: { ...FONT, bold: true },
  alignment: { ...aligned(ruleOf(format).align), vertical: 'top' },
  border: {
    top: { style: 'thin', color: { argb: INK } },
    bottom: { style: 'double', color: { argb: INK } },
  },
}));

export const titleStyle: Partial<Style> = { font: { ...FONT, bold: true, size: 20, color: { argb: NAVY } } };
export const headingStyle: Partial<Style> = {
  font: { ...FONT, bold: true, size: 13, color: { argb: NAVY } },
};
export const proseStyle: Partial<Style> = { font: { ...FONT, color: { argb: GREY } } };
export const labelStyle: Partial<Style> = { font: { ...FONT, bold: true }, alignment: { vertical: 'top' } };

/** The style of a labelled value: as in a table cell, but always left-aligned, next to its label. */
export const valueStyle = shared((format: Format, link: boolean) => ({
  ...cellStyle(format, { link, wrap: format === 'text' }),
  alignment: { horizontal: 'left', vertical: 'top', wrapText: format === 'text' },
}));
