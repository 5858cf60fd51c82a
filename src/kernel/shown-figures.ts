import { formatMoney, type Money, negate, ZERO } from './money.ts';

/** Group thousands, so that people can read a figure at a glance. Figures for machines are not grouped. */
const inThousands = (text: string): string => text.replace(/\B(?=(\d{3})+(?:\.|$))/g, ',');

/** `12,345` */
export const shownCount = (count: number): string => inThousands(String(count));

/** `-12,345.60` */
export const shownMoney = (amount: Money): string => inThousands(formatMoney(amount));

/** `$12,345.60` */
export const shownDollars = (amount: Money): string => `$${shownMoney(amount)}`;

/** Format an effect with its sign, as in the workbooks: `+12,345.60`, `(12,345.60)`, `0.00`. */
export const shownChange = (amount: Money): string => {
  if (amount < ZERO) return `(${shownMoney(negate(amount))})`;
  return amount === ZERO ? shownMoney(amount) : `+${shownMoney(amount)}`;
};

/** `1 order`, `1,234 orders` */
export const shownNumber = (count: number, one: string, many = `${one}s`): string =>
  `${shownCount(count)} ${count === 1 ? one : many}`;
