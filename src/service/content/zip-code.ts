import type { TaxContent } from './tax-content.ts';

const FORM = /^(\d{5})[- ]?(\d{4})?$/;
const SHORT_FORM = /^\d{3,4}$/;

type ZipCode = { readonly zip5: string; readonly plus4: string | undefined };

/**
 * Read a ZIP or ZIP+4. Spreadsheets remove the leading zeros of numbers, so three and four digits are padded.
 * `undefined` when it is not a ZIP.
 */
export const parseZip = (text: string): ZipCode | undefined => {
  const trimmed = text.trim();
  const parts = FORM.exec(SHORT_FORM.test(trimmed) ? trimmed.padStart(5, '0') : trimmed);
  return parts ? { zip5: parts[1] ?? '', plus4: parts[2] } : undefined;
};

/** List the states in which a ZIP is used: by its counties if it has an area, otherwise by its first three digits. */
export const statesOfZip = (content: TaxContent, zip5: string): readonly string[] => {
  const zip = content.zips.get(zip5);
  if (!zip?.hasArea) return content.zipPrefixes.get(zip5.slice(0, 3)) ?? [];
  return zip.counties.map((fips) => content.countyStates.get(fips) ?? '');
};
