import type { Alignment, Borders, Fill, Font, Style } from 'exceljs';
import { aligned, FONT, headerStyle, shared, solid, UNDERLINED } from './cell-style.ts';
import { type Format, ruleOf } from './format.ts';
import type { GridCell, GridRow } from './laid-out.ts';
import { GREY, INK, LINK, NAVY, PANEL_FILL, TONES, type Tone, WHITE } from './palette.ts';

export type GridTraits = Pick<GridCell, 'bold' | 'grey' | 'tone' | 'suffix'> & {
  readonly kind: GridRow['kind'];
  readonly isLink: boolean;
  readonly wrap: boolean;
};

const THIN = { style: 'thin', color: { argb: INK } } as const;

const KIND_BORDERS: { readonly [K in NonNullable<GridRow['kind']>]?: Partial<Borders> } = {
  note: {},
  subtotal: { top: THIN, bottom: THIN },
  result: { top: THIN, bottom: { ...THIN, style: 'double' } },
  total: { top: THIN, bottom: { ...THIN, style: 'double' } },
};

const isClosing = (kind: GridRow['kind']): boolean =>
  kind === 'subtotal' || kind === 'result' || kind === 'total';

/** Left-aligns text in every format: only figures are aligned right, for comparison. */
const alignmentOf = (format: Format): 'left' | 'right' =>
  ruleOf(format).align === 'right' ? 'right' : 'left';

export const gridStyle = shared((format: Format, traits: GridTraits): Partial<Style> => {
  const { kind, suffix, wrap } = traits;
  const { code } = ruleOf(format);
  return {
    numFmt: suffix === undefined ? code : `${code}" ${suffix}"`,
    font: fontOf(traits),
    alignment: { ...aligned(alignmentOf(format)), vertical: 'middle', wrapText: wrap },
    border: (kind && KIND_BORDERS[kind]) ?? UNDERLINED,
    ...fillOf(traits),
  };
});

const fontOf = ({ kind, bold, grey, tone, isLink }: GridTraits): Partial<Font> => {
  if (tone) return { ...FONT, bold: true, size: 10, color: { argb: TONES[tone].ink } };
  if (isLink) return { ...FONT, underline: true, color: { argb: LINK } };
  if (kind === 'band') return { ...FONT, bold: true, size: 12, color: { argb: NAVY } };
  if (kind === 'working') return { ...FONT, italic: true, color: { argb: GREY } };
  return { ...FONT, bold: bold ?? isClosing(kind), color: { argb: grey ? GREY : INK } };
};

const fillOf = ({ kind, tone }: GridTraits): { readonly fill?: Fill } => {
  if (tone) return { fill: solid(TONES[tone].fill) };
  return kind === 'band' ? { fill: solid(PANEL_FILL) } : {};
};

/** Returns the style that a conditional format gives to a status that a formula can change. */
export const toneStyle = (tone: Tone): Partial<Style> => ({
  font: { bold: true, color: { argb: TONES[tone].ink } },
  fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: TONES[tone].fill } },
});

/** Ends a title where the digits of its figures end, before the space for a closing bracket. */
export const gridHeaderStyle = shared(
  (align: 'left' | 'right'): Partial<Style> => ({
    ...headerStyle(align),
    alignment: { ...aligned(align), vertical: 'bottom', wrapText: true },
    ...(align === 'right' && { numFmt: '@_)' }),
  }),
);

const CARD_ALARM = 'FF8E1538';
const CARD_LINES = {
  label: { size: 10, color: { argb: GREY } },
  value: { size: 18, bold: true, color: { argb: INK } },
  remark: { size: 10, color: { argb: GREY } },
} as const;

/** The style of one of the three lines of a card. Its first cell has the text and the thick edge. */
export const cardStyle = shared(
  (
    line: keyof typeof CARD_LINES,
    { isFirst, isAlarm, isLink }: { isFirst: boolean; isAlarm: boolean; isLink: boolean },
  ): Partial<Style> => {
    const alignment: Partial<Alignment> = { horizontal: 'left', vertical: 'middle', indent: 1 };
    const color = isAlarm
      ? { color: { argb: WHITE } }
      : isLink
        ? { color: { argb: LINK }, underline: true }
        : {};
    return {
      font: { ...FONT, ...CARD_LINES[line], ...color },
      fill: solid(isAlarm ? CARD_ALARM : PANEL_FILL),
      alignment,
      ...(isFirst
        ? { border: { left: { style: 'thick', color: { argb: isAlarm ? CARD_ALARM : NAVY } } } }
        : {}),
    };
  },
);

export const remarkStyle: Partial<Style> = {
  font: { ...FONT, size: 10, color: { argb: GREY } },
  alignment: { vertical: 'middle' },
};
