import { closest, distance } from 'fastest-levenshtein';

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
