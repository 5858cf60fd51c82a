import { nearestName } from '../../kernel/nearest-name.ts';
import type { PlaceQuery } from './place-lookup.ts';
import { placeKey } from './place-name.ts';
import type { Place, TaxContent } from './tax-content.ts';

/** What a ZIP says of the place of an address whose city name does not decide, and why it was asked. */
export type PlaceGuess = {
  /** `elsewhere`: the state has a place of the name, and it has no part of the ZIP. */
  readonly because: 'no-city' | 'spelling' | 'unknown-city' | 'elsewhere';
  /** Not there where the ZIP has no place of its own. */
  readonly place: Place | undefined;
};

/** The places of a ZIP within one state. */
export type PlacesOfZip = {
  /** The place in which most of its people live. */
  readonly main: Place | undefined;
  /** Whether a place has a part of the ZIP. A city can give its name to the mail of ZIPs outside of it. */
  readonly has: (place: Place) => boolean;
  /** Whether a city is known to have the smaller part of the ZIP. */
  readonly isMinor: (place: Place) => boolean;
};

/** The places of a ZIP as the table of ZIPs has them for its first state; for others its counties alone tell. */
export const placesOfZip = (
  content: TaxContent,
  state: string,
  zip5: string,
  counties: readonly string[],
): PlacesOfZip => {
  const zip = content.zips.get(zip5);
  const isMain = content.countyStates.get(zip?.counties[0] ?? '') === state;
  const known = new Set(isMain ? zip?.places : []);
  const main = isMain && zip?.place ? zip.place : '';
  const isHere = (place: Place) => place.counties.some((county) => counties.includes(county));
  return {
    main: main === '' ? undefined : content.placesByFips.get(`${state} ${main}`),
    has: (place) => isHere(place) && (!place.incorporated || known.size === 0 || known.has(place.fips)),
    isMinor: (place) => place.incorporated && known.size > 0 && place.fips !== main,
  };
};

/** Letters that may be wrong in the name of a place. */
const mostWrong = (name: string): number => (name.length <= 5 ? 1 : 2);

/**
 * The place that an address most likely lies in by its ZIP: the one of the ZIP's places that the name is a misspelling
 * of, its main one first; else its main one.
 */
export const guessPlace = (
  content: TaxContent,
  { state, city }: PlaceQuery,
  { main, has }: PlacesOfZip,
  isKnown: boolean,
): PlaceGuess => {
  if (city.trim() === '') return { because: 'no-city', place: main };
  if (isKnown) return { because: 'elsewhere', place: main };
  const near = content.placesOf(state.code).filter(has);
  const candidates = main ? [main, ...near] : near;
  const key = nearestName(
    placeKey(city),
    candidates.map((place) => place.key),
    mostWrong,
  );
  const meant = candidates.find((place) => place.key === key);
  return meant ? { because: 'spelling', place: meant } : { because: 'unknown-city', place: main };
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
      return `${given} is not a known place of ${state.code}: ${applied}.`;
    case 'elsewhere':
      return `${given} has no part of ZIP ${zip5}: ${applied}.`;
  }
};
