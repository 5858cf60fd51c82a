/** Parts of 10,000. One rate in the whole state, none on shipping: a place where Tieout’s own engine says the same. */
const RATES = { MA: 625, MD: 600, ME: 550 } as const;

export type EvenState = keyof typeof RATES;
export const EVEN_STATES = Object.keys(RATES) as EvenState[];

export const evenRate = (state: EvenState): number => RATES[state] / 10_000;

/** The tax on some cents, in cents, half a cent up. */
export const evenTax = (state: EvenState, cents: number): number =>
  Math.floor((cents * RATES[state] + 5_000) / 10_000);
