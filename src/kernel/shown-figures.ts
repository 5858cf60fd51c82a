import { formatMoney, type Money, negate, ZERO } from './money.ts';

/** Thousands apart, so that a person reads a figure at a glance. Figures for machines are written without. */
const inThousands = (text: string): string => text.replace(/\B(?=(\d{3})+(?:\.|$))/g, ',');

/** `12,345` */
export const shownCount = (count: number): string => inThousands(String(count));

/** `-12,345.60` */
export const shownMoney = (amount: Money): string => inThousands(formatMoney(amount));

/** `$12,345.60` */
export const shownDollars = (amount: Money): string => `$${shownMoney(amount)}`;

/** An effect with its sign, as the workbooks have it: `+12,345.60`, `(12,345.60)`, `0.00`. */
export const shownChange = (amount: Money): string => {
  if (amount < ZERO) return `(${shownMoney(negate(amount))})`;
  return amount === ZERO ? shownMoney(amount) : `+${shownMoney(amount)}`;
};

/** `1 order`, `1,234 orders` */
export const shownNumber = (count: number, one: string, many = `${one}s`): string =>
  `${shownCount(count)} ${count === 1 ? one : many}`;
