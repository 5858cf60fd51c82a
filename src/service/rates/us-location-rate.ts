import type { LocationRate } from '../../contract/location-rate.ts';
import { ServiceRefusal } from '../../contract/refusal.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { rate, ZERO_RATE } from '../../kernel/rate.ts';
import { isSstMember } from '../content/sst-members.ts';
import type { StateContent, TaxContent } from '../content/tax-content.ts';
import { parseZip } from '../content/zip-code.ts';
import { statesOfZip } from '../content/zip-states.ts';
import type { FullAddress } from '../engine/address.ts';
import { taxTable } from '../engine/tax-table.ts';
import { isFreightTaxed } from '../engine/us-tax.ts';

/** The rates of a place in the United States: what a seller in the same place would collect on plain goods. */
export const usLocationRate = (
  content: TaxContent,
  address: FullAddress,
  date: CalendarDate,
): LocationRate => {
  const state = stateOf(content, address);
  const { zip, city, street } = address;
  const table = taxTable(content, { state, zip, city, street, date, remote: false });
  if (table.place.precision === 'state' && state.localRates.length > 0) throw unknownZip(zip);
  const [stateRate, countyRate, cityRate, districtRate] = table.rates;
  return {
    zip,
    ...(isSstMember(state.code) && { country: 'US', country_rate: ZERO_RATE }),
    state: state.code,
    state_rate: rate(stateRate),
    county: table.place.countyName ?? null,
    county_rate: rate(countyRate),
    city: table.place.cityName ?? null,
    city_rate: rate(cityRate),
    combined_district_rate: rate(districtRate),
    combined_rate: rate(stateRate + countyRate + cityRate + districtRate),
    freight_taxable: isFreightTaxed(table),
  };
};

/** The state that was named, when the ZIP is used there; else the one of the ZIP, when it has only one or its best. */
const stateOf = (content: TaxContent, { zip, state: named }: FullAddress): StateContent => {
  const parsed = parseZip(zip);
  if (!parsed) throw new ServiceRefusal(406, `zip ${zip} isn't a valid postal code for US`);
  const used = statesOfZip(content, parsed.zip5);
  if (used.length === 0) throw unknownZip(zip);
  if (named !== '' && !used.includes(named)) {
    throw new ServiceRefusal(400, `zip ${zip} is not used within state ${named}`);
  }
  const isDecided = content.zips.get(parsed.zip5)?.hasArea === true || used.length === 1;
  if (named === '' && !isDecided) {
    throw new ServiceRefusal(404, `zip ${zip} may be of ${used.join(' or ')}: state is needed`);
  }
  const state = content.states.get(named || (used[0] ?? ''));
  if (state) return state;
  throw unknownZip(zip);
};

/** A rate of the state alone would look like the whole of it, so it is not answered for a place that is not known. */
const unknownZip = (zip: string): ServiceRefusal =>
  new ServiceRefusal(404, `no rates are known for zip ${zip}: name its state and city`);
