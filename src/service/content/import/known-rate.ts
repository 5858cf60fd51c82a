import type { CalendarDate } from '../../../kernel/calendar.ts';
import { localRatesAt } from '../local-rates-at.ts';
import { placeKey } from '../place-name.ts';
import type { LocalRate, StateContent } from '../tax-content.ts';

/** A place in its county; an empty name is the part of the county outside its places. */
export type KnownPlace = { readonly county: string; readonly name: string };

/** The general local rates that the content has at a place on a day. */
export const knownRates = (
  state: StateContent,
  { county, name }: KnownPlace,
  date: CalendarDate,
): LocalRate[] => {
  const place =
    name === '' ? undefined : { fips: '', name, key: placeKey(name), incorporated: true, counties: [county] };
  const found = { state, county, countyName: undefined, cityName: undefined, place, boundary: undefined };
  return localRatesAt({ ...found, precision: 'zip5-unique', flags: [] }, date).filter(
    ({ tax }) => tax === 'general',
  );
};
