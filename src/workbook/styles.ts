import type { Alignment, Borders, Fill, Font, Style } from 'exceljs';
import type { Flag } from './cell.ts';
import { type Format, ruleOf } from './format.ts';
import type { PlacedTable } from './layout.ts';

/** The colours of the workbooks, as exceljs writes them. Every text has a contrast of at least 4.5 on its fill. */
const INK = 'FF1B2733';
const GREY = 'FF5B6875';
const RULE = 'FFD3DAE1';
const NAVY = 'FF14365C';
const HEADER_FILL = 'FFE8EEF4';

const FONT: Partial<Font> = { name: 'Calibri', family: 2, size: 11, color: { argb: INK } };
const solid = (argb: string): Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });
const UNDERLINED: Partial<Borders> = { bottom: { style: 'thin', color: { argb: RULE } } };

/** Dark text on a light fill. Every flag also has a sign, so that colour is not the only signal. */
const FLAGS: {
  readonly [F in Flag]: {
    readonly sign: string;
    readonly ink: string;
    readonly fill: string;
  };
} = {
  attention: { sign: '▲', ink: 'FF8E1538', fill: 'FFF9E1E8' },
  good: { sign: '✓', ink: 'FF0B5C43', fill: 'FFDDF1E8' },
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
const aligned = (horizontal: 'left' | 'right' | 'center'): Partial<Alignment> =>
  horizontal === 'left' ? { horizontal, indent: 1 } : { horizontal };

/**
 * Returns the same style object for the same arguments. exceljs numbers a style object that it has seen before without
 * serializing it again, which is most of its work on a small workbook.
 */
const shared = <Arguments extends readonly unknown[]>(
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

type CellTraits = {
  readonly flag?: Flag | undefined;
  readonly wrap?: boolean;
};

export const cellStyle = shared((format: Format, { flag, wrap }: CellTraits) => {
  const { code, align } = ruleOf(format);
  const marked = flag && FLAGS[flag];
  return {
    numFmt: marked ? withSign(code, marked.sign) : code,
    font: marked ? { ...FONT, bold: true, color: { argb: marked.ink } } : FONT,
    alignment: { ...aligned(align), vertical: 'top', wrapText: wrap ?? false },
    border: UNDERLINED,
    ...(marked && { fill: solid(marked.fill) }),
  };
});

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

/** The numbers of the styles of a table's cells in its workbook. */
export type TableStyles = {
  /** By column, counting from 0. */
  of(column: number, flag: Flag | undefined): string;
  ofTotal(column: number): string;
};

const WITH_FLAGS: readonly (Flag | undefined)[] = [undefined, 'attention', 'good'];

/** @param numberOf Numbers a style in the workbook; it must be called before the styles are written */
export const tableStyles = (
  { source, fits }: PlacedTable,
  numberOf: (style: Partial<Style>) => number,
): TableStyles => {
  const cells = source.sheet.columns.map(({ format }, index) => {
    const traits = { wrap: fits[index]?.wrap ?? false };
    return WITH_FLAGS.map((flag) => numberOf(cellStyle(format, { ...traits, flag })));
  });
  const totals = source.sheet.columns.map(({ format }) => numberOf(totalStyle(format)));
  return {
    of: (column, flag) => String(cells[column]?.[WITH_FLAGS.indexOf(flag)]),
    ofTotal: (column) => String(totals[column]),
  };
};
