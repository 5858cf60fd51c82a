import { nearestName } from '../../kernel/nearest-name.ts';
import type { PlaceQuery } from './place-lookup.ts';
import { placeKey } from './place-name.ts';
import type { Place, TaxContent } from './tax-content.ts';

/** What a ZIP says of the place of an address whose city name does not decide, and why it was asked. */
export type PlaceGuess = {
  /** `elsewhere`: the state has a place of the name, in no county of the ZIP. */
  readonly because: 'no-city' | 'spelling' | 'unknown-city' | 'elsewhere';
  /** Not there where the ZIP has no place of its own. */
  readonly place: Place | undefined;
};

/** Letters that may be wrong in the name of a place. */
const mostWrong = (name: string): number => (name.length <= 5 ? 1 : 2);

/**
 * The place that an address most likely lies in by its ZIP: the one in the ZIP's counties that the name is a misspelling
 * of, the ZIP's own first; else the ZIP's own.
 */
export const guessPlace = (
  content: TaxContent,
  { state, city }: PlaceQuery,
  zip: { readonly zip5: string; readonly counties: readonly string[]; readonly isKnown: boolean },
): PlaceGuess => {
  const code = content.zips.get(zip.zip5)?.place ?? '';
  const own = code === '' ? undefined : content.placesByFips.get(`${state.code} ${code}`);
  if (city.trim() === '') return { because: 'no-city', place: own };
  if (zip.isKnown) return { because: 'elsewhere', place: own };
  const near = content
    .placesOf(state.code)
    .filter((place) => place.counties.some((county) => zip.counties.includes(county)));
  const candidates = own ? [own, ...near] : near;
  const key = nearestName(
    placeKey(city),
    candidates.map((place) => place.key),
    mostWrong,
  );
  const meant = candidates.find((place) => place.key === key);
  return meant ? { because: 'spelling', place: meant } : { because: 'unknown-city', place: own };
};

/** What is to be said about a guess. */
export const guessFlag = (
  { state, city }: PlaceQuery,
  zip5: string,
  { because, place }: PlaceGuess,
): string => {
  const given = city.trim();
  const applied = place
    ? `${place.name}, the place of ZIP ${zip5}, was applied`
    : 'taxes of cities were not applied';
  switch (because) {
    case 'no-city':
      return `No city was given: ${applied}.`;
    case 'spelling':
      return `${given} was read as ${place?.name}.`;
    case 'unknown-city':
      return `${given} is no known place of ${state.code}: ${applied}.`;
    case 'elsewhere':
      return `${given} lies in no county of ZIP ${zip5}: ${applied}.`;
  }
};
