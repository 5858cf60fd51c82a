import { closest, distance } from 'fastest-levenshtein';

/** Letters that may differ in a word that a person chose from a short list. */
const mostOf = (name: string): number => Math.max(2, Math.floor(name.length / 3));

/**
 * The known name a misspelt one most likely means, the first of those that are equally near, or `undefined` when none
 * is near: when more letters differ than `most` allows in it.
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

/** The known names that are most like a given one, the nearest first. */
export const nearestNames = (given: string, known: readonly string[], count: number): readonly string[] =>
  known.toSorted((left, right) => distance(given, left) - distance(given, right)).slice(0, count);
