import { generalZipOf, usRegionCode, usRegionName, usRegionsOfZip } from '../../kernel/us-regions.ts';
import { countryCode, isUsTerritory } from './normal/countries.ts';
import { remembered } from './remembered.ts';
import type { Place, Remark } from './sale.ts';

/** A place with codes for names, and what had to be repaired or looks wrong. */
export type NormalPlace = {
  readonly place: Place;
  readonly warnings: readonly Remark[];
  readonly doubts: readonly Remark[];
};

/**
 * Brings addresses into the form of `normalPlace`, and remembers what it found of country, state and ZIP.
 *
 * @param stateIsEnough whether an address in the US may be a state as a whole
 */
export const placeNormaliser = (stateIsEnough: boolean): ((given: Place) => NormalPlace) => {
  const known = remembered((key) => {
    const [country = '', state = ''] = key.split(' ', 2);
    const texts = key.slice(country.length + state.length + 2);
    const stateAt = Number(country);
    const zipAt = stateAt + Number(state);
    const place = { country: texts.slice(0, stateAt), state: texts.slice(stateAt, zipAt) };
    return normalPlace({ ...place, zip: texts.slice(zipAt), city: '', street: '' }, stateIsEnough);
  });
  return ({ country, state, zip, city, street }) => {
    const found = known(`${country.length} ${state.length} ${country}${state}${zip}`);
    return { ...found, place: { ...found.place, city, street } };
  };
};

/**
 * Bring an address into the form the service takes: country and state as codes, US ZIPs as five digits or ZIP+4.
 * What names no country is doubtful, never foreign, and so is a country beside a ZIP of the United States. A ZIP that
 * lost its leading zeros in a spreadsheet gets them back only where the state agrees.
 */
export const normalPlace = (given: Place, stateIsEnough = false): NormalPlace => {
  const upper = given.country.toUpperCase();
  if (upper === '') return doubtful(given, upper, 'no-country', 'the address names no country');
  const country = upper === 'US' ? upper : countryCode(upper);
  if (country === undefined)
    return doubtful(given, upper, 'unknown-country', `"${given.country}" is not a two-letter country code`);
  // The post and the tax have Puerto Rico and the islands as states, though they are countries to ISO.
  if (isUsTerritory(country)) return usPlace({ ...given, state: country }, stateIsEnough);
  if (country === 'US') return usPlace(given, stateIsEnough);
  const state = usRegionCode(given.state === '' ? country : given.state);
  if (state !== undefined && US_ZIP.test(given.zip) && usRegionsOfZip(given.zip).includes(state)) {
    const message = `the country is "${given.country}", and ZIP ${given.zip} lies in ${usRegionName(state)}`;
    return doubtful(given, country, 'zip-not-in-country', message);
  }
  return { place: { ...given, country }, warnings: [], doubts: [] };
};

const US_ZIP = /^\d{5}(-\d{4})?$/;

const usPlace = (given: Place, stateIsEnough: boolean): NormalPlace => {
  const country = 'US';
  const state = usRegionCode(given.state.replaceAll('.', ''));
  if (state === undefined) {
    const message =
      given.state === '' ? 'the address names no state' : `"${given.state}" is not a US state or territory`;
    return doubtful(given, country, 'unknown-state', message);
  }

  const { zip, restored } = normalZip(given.zip, state);
  const place = { ...given, country, state, zip };
  if (zip === '') return stateIsEnough ? wholeState(place) : doubtful(place, country, 'bad-zip', NO_ZIP);
  if (!US_ZIP.test(zip)) return doubtful(place, country, 'bad-zip', `"${given.zip}" is not a US ZIP code`);
  if (!usRegionsOfZip(zip).includes(state)) {
    return doubtful(place, country, 'zip-not-in-state', `ZIP ${zip} does not lie in ${state}`);
  }
  const message = `ZIP "${given.zip}" lost its leading zero; read as ${zip}, which lies in ${state}`;
  return { place, warnings: restored ? [{ code: 'zip-zero-restored', message }] : [], doubts: [] };
};

const NO_ZIP = 'the address has no ZIP code';

/** The tax of the state is then known, and that of its places is not. */
const wholeState = (place: Place): NormalPlace => {
  const zip = generalZipOf(place.state) ?? '';
  const message = `${NO_ZIP}: ${place.state} as a whole is meant, written as ${zip}, and the tax of its places is not known`;
  return { place: { ...place, zip }, warnings: [{ code: 'state-only', message }], doubts: [] };
};

const doubtful = (place: Place, country: string, code: string, message: string): NormalPlace => ({
  place: { ...place, country },
  warnings: [],
  doubts: [{ code, message }],
});

const normalZip = (text: string, state: string): { readonly zip: string; readonly restored: boolean } => {
  // `2139.0` went through a table of floating-point numbers, `94610-` is a ZIP+4 without its four.
  const zip = text
    .replace(/^'|'$/g, '')
    .trim()
    .replace(/(?<=^\d{1,5})(?:\.0|-)$/, '')
    .replace(/(?<=^\d{5}) +-? *(?=\d{4}$)/, '-');
  if (/^\d{9}$/.test(zip)) return { zip: withDash(zip), restored: false };
  if (/^(?:\d{1,4}|\d{7,8})$/.test(zip)) {
    const padded = zip.length < 5 ? zip.padStart(5, '0') : withDash(zip.padStart(9, '0'));
    if (usRegionsOfZip(padded).includes(state)) return { zip: padded, restored: true };
  }
  return { zip, restored: false };
};

const withDash = (nine: string): string => `${nine.slice(0, 5)}-${nine.slice(5)}`;
