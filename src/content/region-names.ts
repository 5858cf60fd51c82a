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

type Province = {
  readonly code: string;
  /** First letters of its postal codes (Canada Post, Addressing Guidelines); `X` is shared and does not decide. */
  readonly letters: string;
  /** Whether its tax and the federal tax are levied as one (Excise Tax Act, schedule VIII). */
  readonly harmonized: boolean;
};

const PROVINCES: readonly Province[] = [
  { code: 'AB', letters: 'T', harmonized: false },
  { code: 'BC', letters: 'V', harmonized: false },
  { code: 'MB', letters: 'R', harmonized: false },
  { code: 'NB', letters: 'E', harmonized: true },
  { code: 'NL', letters: 'A', harmonized: true },
  { code: 'NS', letters: 'B', harmonized: true },
  { code: 'NT', letters: '', harmonized: false },
  { code: 'NU', letters: '', harmonized: false },
  { code: 'ON', letters: 'KLMNP', harmonized: true },
  { code: 'PE', letters: 'C', harmonized: true },
  { code: 'QC', letters: 'GHJ', harmonized: false },
  { code: 'SK', letters: 'S', harmonized: false },
  { code: 'YT', letters: 'Y', harmonized: false },
];

/** Return the province of a postal code; `undefined` when the code alone does not determine it. */
export const provinceOfPostalCode = (postalCode: string): string | undefined => {
  const letter = postalCode.trim().charAt(0).toUpperCase();
  return letter === '' ? undefined : PROVINCES.find(({ letters }) => letters.includes(letter))?.code;
};

export const isHarmonized = (province: string): boolean =>
  PROVINCES.find(({ code }) => code === province)?.harmonized === true;
