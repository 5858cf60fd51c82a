import { usRegionCode, usRegionName } from '../kernel/us-regions.ts';

const CA_PROVINCES =
  'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|' +
  'NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon';

const COUNTRIES =
  'US United States|CA Canada|AU Australia|AT Austria|BE Belgium|BG Bulgaria|HR Croatia|CY Cyprus|' +
  'CZ Czech Republic|DK Denmark|EE Estonia|FI Finland|FR France|DE Germany|GR Greece|HU Hungary|IE Ireland|' +
  'IT Italy|LV Latvia|LT Lithuania|LU Luxembourg|MT Malta|NL Netherlands|PL Poland|PT Portugal|RO Romania|' +
  'SK Slovakia|SI Slovenia|ES Spain|SE Sweden|GB United Kingdom';

const namesOf = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split('|').map((entry) => [entry.slice(0, 2), entry.slice(3)] as const));

const PROVINCE_NAMES = namesOf(CA_PROVINCES);
const COUNTRY_NAMES = namesOf(COUNTRIES);

/** Return the English name of a country; its code when the name is unknown. */
export const countryName = (country: string): string => COUNTRY_NAMES.get(country) ?? country;

/** Return the English name of a state or province; its code when the name is unknown. */
export const regionName = (country: string, region: string): string => nameOf(country, region) ?? region;

/** Whether a country whose states or provinces are known here has one of this code. */
export const isRegion = (country: string, code: string): boolean => nameOf(country, code) !== undefined;

const nameOf = (country: string, code: string): string | undefined => {
  if (country === 'US') return usRegionName(code);
  return country === 'CA' ? PROVINCE_NAMES.get(code) : undefined;
};

/** Return the code of a state or province by its name in upper case; `undefined` when the name is unknown. */
export const regionCode = (country: string, name: string): string | undefined => {
  if (isRegion(country, name)) return name;
  if (country === 'US') return usRegionCode(name);
  return country === 'CA' ? PROVINCE_CODES.get(name) : undefined;
};

const PROVINCE_CODES = new Map([...PROVINCE_NAMES].map(([code, name]) => [name.toUpperCase(), code]));

/** Provinces whose tax and the federal tax are levied as one (Excise Tax Act, schedule VIII). */
const HARMONIZED: ReadonlySet<string> = new Set(['NB', 'NL', 'NS', 'ON', 'PE']);

export const isHarmonized = (province: string): boolean => HARMONIZED.has(province);

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
