import type { NexusRegion } from '../contract/nexus.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { compareText } from '../kernel/compare-text.ts';
import { countryName, regionName } from './content/region-names.ts';
import { settleAddress } from './engine/address.ts';
import type { NexusOnFile } from './ledger/account.ts';

/**
 * The regions in which an account has nexus on a day, each once, ordered by name. Where nexus belongs to the country
 * as a whole, the country is its own region.
 */
export const nexusRegionsOf = (nexus: readonly NexusOnFile[], day: CalendarDate): readonly NexusRegion[] => {
  const regions = new Map<string, NexusRegion>();
  for (const entry of nexus) {
    if ((entry.from ?? day) > day || (entry.to ?? day) < day) continue;
    const { country, state } = settleAddress(entry);
    regions.set(`${country}-${state}`, {
      country_code: country,
      country: countryName(country),
      region_code: state || country,
      region: state ? regionName(country, state) : countryName(country),
    });
  }
  return [...regions.values()].sort(byRegionName);
};

const byRegionName = (left: NexusRegion, right: NexusRegion): number =>
  compareText(left.region, right.region) || compareText(left.country_code, right.country_code);
