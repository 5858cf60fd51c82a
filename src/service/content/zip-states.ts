import type { TaxContent } from './tax-content.ts';

/** The states in which a ZIP is used: by its counties where it has an area, else by its first three digits. */
export const statesOfZip = (content: TaxContent, zip5: string): readonly string[] => {
  const zip = content.zips.get(zip5);
  if (!zip?.hasArea) return content.zipPrefixes.get(zip5.slice(0, 3)) ?? [];
  return zip.counties.map((fips) => content.countyStates.get(fips) ?? '');
};
