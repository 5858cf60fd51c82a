/** `1234` cents as `12.34`, the way Shopify prints an amount. */
export const printCents = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** `12.34` as 1234 cents. */
export const centsOf = (text: string): number => {
  const [whole = '', fraction = ''] = text.split('.');
  return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
};

/** A rate as a whole number of thousandths of a percent: `6.625` percent is 6625. */
export type MilliPercent = number;

export const milliPercent = (percent: string): MilliPercent => {
  const [whole = '', fraction = ''] = percent.split('.');
  return Number(whole) * 1000 + Number(fraction.padEnd(3, '0'));
};

/** `6625` as `6.625%`. */
export const printPercent = (rate: MilliPercent): string => `${rate / 1000}%`;

/** Cents times thousandths of a percent is hundred-thousandths of a cent; this many make one cent. */
const PARTS_PER_CENT = 100_000;

/** Half a cent goes up; amounts here are never negative. */
export const roundToCents = (parts: number): number =>
  Math.floor((2 * parts + PARTS_PER_CENT) / (2 * PARTS_PER_CENT));
