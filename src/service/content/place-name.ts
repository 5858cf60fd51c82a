const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['saint', 'st'],
  ['sainte', 'ste'],
  ['mount', 'mt'],
  ['fort', 'ft'],
]);

const PLAIN = /^[a-z]+$/;

/**
 * Return the form in which place names are compared: lower case, no accents, no full stops or apostrophes, blanks for
 * dashes, and Saint, Mount and Fort in their short forms.
 */
export const placeKey = (name: string): string => {
  const lower = name.trim().toLowerCase();
  if (PLAIN.test(lower)) return SHORT_FORMS.get(lower) ?? lower;
  return lower
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[.'’`]/g, '')
    .split(/[\s\-–_,]+/)
    .filter((word) => word !== '')
    .map((word) => SHORT_FORMS.get(word) ?? word)
    .join(' ');
};

const COUNTY_WORDS =
  /\s+(?:county|parish|city and borough|borough|census area|municipality|municipio|planning region)$/i;

/** Format a county's name as results print it: `Los Angeles County` is `LOS ANGELES`. */
export const countyLabel = (name: string): string => name.replace(COUNTY_WORDS, '').toUpperCase();

/** Format a city's name as results print it. */
export const cityLabel = (name: string): string => name.trim().replace(/\s+/g, ' ').toUpperCase();
