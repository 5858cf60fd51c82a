/** The colours of the workbooks, as exceljs writes them. Every text has a contrast of at least 4.5 on its fill. */
export const INK = 'FF1B2733';
export const GREY = 'FF5B6875';
export const RULE = 'FFD3DAE1';
export const NAVY = 'FF14365C';
export const WHITE = 'FFFFFFFF';
export const LINK = 'FF0B4F9E';
export const HEADER_FILL = 'FFE8EEF4';
export const PANEL_FILL = 'FFF5F7FA';

/** The colours of a status, which always has a sign and a word as well. */
export type Tone = 'good' | 'attention' | 'idle';

export const TONES: { readonly [T in Tone]: { readonly ink: string; readonly fill: string } } = {
  good: { ink: 'FF0B5C43', fill: 'FFDDF1E8' },
  attention: { ink: 'FF8E1538', fill: 'FFF9E1E8' },
  idle: { ink: GREY, fill: 'FFECEFF2' },
};

/** Tab colours of the sheets with the answers, of the sheets of single returns, and of supporting sheets. */
export type Tab = 'answer' | 'return' | 'support';

export const TABS: { readonly [T in Tab]: string } = {
  answer: NAVY,
  return: 'FF0072B2',
  support: 'FF9AA5B1',
};
