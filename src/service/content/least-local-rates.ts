import type { CalendarDate } from '../../kernel/calendar.ts';
import { localRatesAt, type RatedPlace } from './local-rates-at.ts';
import type { LocalRate, StateContent, TaxContent } from './tax-content.ts';

/**
 * Return the lowest local rates of a state on a day: those of the place where they add up to the least. They are due
 * wherever in the state a sale went. Empty when a place of the state has none, or none that are known.
 */
export const leastLocalRates = (
  content: TaxContent,
  state: StateContent,
  date: CalendarDate,
): readonly LocalRate[] => {
  if (state.localRates.length === 0) return [];
  const key = `least|${state.code}|${date}`;
  const known = content.memory.get(key) as readonly LocalRate[] | undefined;
  if (known) return known;
  const least = leastOf(content, state, date).map((row) => ({
    ...row,
    name: `${row.name}, where local taxes of ${state.name} are lowest`,
  }));
  content.memory.set(key, least);
  return least;
};

/** The rates of one place, and their sums. */
type Found = { readonly rows: readonly LocalRate[]; readonly general: number; readonly other: number };

const leastOf = (content: TaxContent, state: StateContent, date: CalendarDate): readonly LocalRate[] => {
  let least: Found | undefined;
  for (const place of placesOf(content, state)) {
    const found = place
      .map((part) => foundAt(part, date))
      .reduce((one, other) => (isLess(one, other) ? other : one));
    if (found.general === 0) return [];
    if (!least || isLess(found, least)) least = found;
  }
  return least?.rows ?? [];
};

const foundAt = (place: RatedPlace, date: CalendarDate): Found => {
  const rows = localRatesAt(place, date);
  const general = sumOf(rows.filter(({ tax }) => tax === 'general'));
  return { rows, general, other: sumOf(rows) - general };
};

const isLess = (one: Found, other: Found): boolean =>
  one.general < other.general || (one.general === other.general && one.other < other.other);

const sumOf = (rows: readonly LocalRate[]): number => rows.reduce((total, { rate }) => total + rate, 0);

/**
 * List each county outside its places, and each place with its parts by county: the part with the highest rates counts,
 * because many tables have a place in only one of its counties.
 */
function* placesOf(content: TaxContent, state: StateContent): Generator<readonly RatedPlace[]> {
  const none = { state, boundary: undefined };
  for (const [fips, code] of content.countyStates)
    if (code === state.code) yield [{ ...none, county: fips.slice(2), place: undefined }];
  for (const place of content.placesOf(state.code))
    yield place.counties.map((county) => ({ ...none, county, place }));
}
