import { closest, distance } from 'fastest-levenshtein';

/** The known name a misspelt one most likely means, or `undefined` when none is near. */
export const nearestName = (given: string, known: readonly string[]): string | undefined => {
  if (known.length === 0) return undefined;
  const best = closest(given, known);
  return distance(given, best) <= Math.max(2, Math.floor(best.length / 3)) ? best : undefined;
};
