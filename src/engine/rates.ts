import { parseZip, statesOfZip } from '../content/place-lookup.ts';
import type { StateContent, TaxContent } from '../content/tax-content.ts';
import { ServiceRefusal } from '../contract/refusal.ts';
import type { LocationRate, RateQuery } from '../contract/tax-service.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { rate, ZERO_RATE } from '../kernel/money.ts';
import { type FullAddress, normaliseAddress } from './order.ts';
import { taxTable } from './tax-table.ts';
import { isFreightTaxed } from './us-tax.ts';

/**
 * Return the full rates of a place in the United States on a day, which a seller in the same place would collect on
 * plain goods.
 *
 * @throws {ServiceRefusal} 404 when the place is unknown or in another country, 400 when ZIP and state contradict each
 * other, 406 when the ZIP is malformed
 */
export const locationRate = (
  content: TaxContent,
  given: string,
  query: RateQuery,
  date: CalendarDate,
): LocationRate => {
  const address = normaliseAddress({ ...query, zip: given.trim(), country: query.country ?? 'US' });
  if (address.country !== 'US') throw new ServiceRefusal(404, `no rates are known for ${address.country}`);
  const state = stateOf(content, address);
  const { zip } = address;
  const table = taxTable(content, { ...address, state, date, remote: false });
  if (table.place.precision === 'state' && state.localRates.length > 0) throw unknownZip(zip);
  const [stateRate, countyRate, cityRate, districtRate] = table.rates;
  return {
    zip,
    ...(MEMBERS.has(state.code) && { country: 'US', country_rate: ZERO_RATE }),
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

/**
 * Return the named state if the ZIP is used there; otherwise the only state of the ZIP, or the main one if it has an
 * area.
 */
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

/** The rate of the state alone would look like the complete rate, so it is not returned for an unknown place. */
const unknownZip = (zip: string): ServiceRefusal =>
  new ServiceRefusal(404, `no rates are known for zip ${zip}: name its state and city`);

/**
 * Members of the Streamlined Sales and Use Tax Agreement, with Tennessee as an associate (streamlinedsalestax.org,
 * state membership; unchanged since Ohio became a full member in 2014). Look-ups name the country only for them.
 */
const MEMBERS: ReadonlySet<string> = new Set(
  'AR GA IA IN KS KY MI MN NC ND NE NJ NV OH OK RI SD TN UT VT WA WI WV WY'.split(' '),
);
