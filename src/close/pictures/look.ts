/** Colours that differ in lightness, so that they work without colour vision; a sign or a word always says the same. */
export const COLOURS = {
  over: '#b45309',
  under: '#1d5fa8',
  gap: '#c4b5fd',
  total: '#374151',
  settled: '#9ca3af',
  close: '#fde68a',
  none: '#e5e7eb',
  ink: '#111827',
  soft: '#4b5563',
  paper: '#ffffff',
} as const;

/** Returns the colour of an amount by its sign. */
export const colourOf = (amount: number): string => {
  if (amount === 0) return COLOURS.none;
  return amount > 0 ? COLOURS.over : COLOURS.under;
};
