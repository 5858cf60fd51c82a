import { closest, distance } from 'fastest-levenshtein';
import { formatMoney, type Money, negate, ZERO } from './money.ts';

/** Compare two texts by their code units: the same order on every machine and in every language. */
export const compareText = (left: string, right: string): number => {
  if (left === right) return 0;
  return left < right ? -1 : 1;
};

/** Compares keys by their UTF-8 bytes, as the databases do. */
export const compareKeys = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const one = left.charCodeAt(index);
    const other = right.charCodeAt(index);
    if (one !== other) return inOrderOfBytes(one) - inOrderOfBytes(other);
  }
  return left.length - right.length;
};

/** Characters of two code units sort after all others. */
const inOrderOfBytes = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x1_0000 : unit);

/** How many letters may differ in a word that a person chose from a short list. */
const mostOf = (name: string): number => Math.max(2, Math.floor(name.length / 3));

/**
 * Find the known name that a misspelt one most likely means: the first of the nearest. `undefined` when more letters
 * differ than `most` allows.
 */
export const nearestName = (
  given: string,
  known: readonly string[],
  most: (name: string) => number = mostOf,
): string | undefined => {
  if (known.length === 0) return undefined;
  const best = closest(given, known);
  return distance(given, best) <= most(best) ? best : undefined;
};

/** Return the known names that are most similar to a given one, nearest first. */
export const nearestNames = (given: string, known: readonly string[], count: number): readonly string[] =>
  known.toSorted((left, right) => distance(given, left) - distance(given, right)).slice(0, count);

/** Returns the texts of a list, without what stands in place of a text that is not said. */
export const textsIn = (texts: readonly (string | false | undefined)[]): readonly string[] =>
  texts.filter((text) => typeof text === 'string');

/** Quotes a path for a shell if needed. */
export const quoted = (path: string): string =>
  /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** Group thousands, so that people can read a figure at a glance. Figures for machines are not grouped. */
export const inThousands = (text: string): string => text.replace(/(?<!\.\d*)\B(?=(\d{3})+(?:\.|$))/g, ',');

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

/** `a Shopify orders export`, `an Etsy orders export` */
export const withArticle = (name: string): string => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;

/** Returns a text with a full stop, if it does not end a sentence already. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
