/** Colours that are told apart without colour vision, by lightness; a sign or a word always says the same. */
export const COLOURS = {
  over: '#b45309',
  under: '#1d5fa8',
  total: '#374151',
  none: '#e5e7eb',
  ink: '#111827',
  paper: '#ffffff',
} as const;

/** What all charts share. */
export const LOOK = {
  font: 'sans-serif',
  view: { stroke: null },
  axis: {
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    labelColor: COLOURS.ink,
    titleColor: COLOURS.ink,
    gridColor: '#e5e7eb',
    domainColor: '#9ca3af',
    tickColor: '#9ca3af',
    labelLimit: 0,
  },
  text: { fontSize: 12, color: COLOURS.ink },
} as const;

/** Colour of an amount by its side of zero. */
export const colourOf = (amount: number): string => {
  if (amount === 0) return COLOURS.none;
  return amount > 0 ? COLOURS.over : COLOURS.under;
};
