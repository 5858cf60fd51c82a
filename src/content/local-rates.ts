import type { CalendarDate } from '../kernel/calendar.ts';
import {
  type BoundaryHit,
  hasFileCode,
  isInForce,
  type LocalRate,
  type Place,
  type StateContent,
  type TaxContent,
} from './tax-content.ts';

/** The parts of a place that its rates depend on. */
export type RatedPlace = {
  readonly state: StateContent;
  /** Three-digit code of the county within the state; empty when it is unknown. */
  readonly county: string;
  /** The place that matches the city name, if it is in the county. */
  readonly place: Place | undefined;
  /** The result of an imported boundary file of the state for the address. */
  readonly boundary: BoundaryHit | undefined;
};

/** Whether a rate applies only in a part of its counties. */
export const dependsOnPlace = ({ scope, exceptPlaces }: LocalRate): boolean =>
  scope === 'place' || scope === 'unincorporated' || exceptPlaces.size > 0;

const holdsAt = (row: LocalRate, place: RatedPlace): boolean => {
  const key = place.place?.key;
  switch (row.scope) {
    case 'county':
      return key === undefined || !row.exceptPlaces.has(key);
    case 'unincorporated':
      return place.place?.incorporated !== true;
    case 'place':
      return key !== undefined && row.places.has(key);
    case 'unmapped':
      return false;
  }
};

/**
 * Whether a rate applies at an address found in a boundary file: districts and cities by code, where an official file
 * gave it; counties, and rates of other sources, by area.
 */
const holdsInFile = (row: LocalRate, place: RatedPlace, hit: BoundaryHit): boolean => {
  if (row.level === 'city' && row.code === hit.place) return true;
  if (row.level === 'special' && hit.specials.includes(row.code)) return true;
  if (row.level !== 'county' && hasFileCode(row)) return false;
  if (!row.counties.includes(place.county)) return false;
  return row.scope === 'unincorporated' ? hit.place === '' : holdsAt(row, place);
};

/**
 * List the local rates in force at a place on a day, one for each jurisdiction and kind of tax. If two rows of one
 * jurisdiction share a boundary day, the one that began later wins.
 */
export const localRatesAt = (place: RatedPlace, date: CalendarDate): LocalRate[] => {
  const rows = new Map<string, LocalRate>();
  const hit = place.boundary;
  const candidates = hit ? place.state.localRates : (place.state.localByCounty.get(place.county) ?? []);
  for (const row of candidates) {
    if (!isInForce(row, date)) continue;
    if (!(hit ? holdsInFile(row, place, hit) : holdsAt(row, place))) continue;
    const key = `${row.tax} ${row.level} ${row.code} ${row.name}`;
    const other = rows.get(key);
    if (other === undefined || row.from > other.from) rows.set(key, row);
  }
  return [...rows.values()];
};

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
type Found = {
  readonly rows: readonly LocalRate[];
  readonly general: number;
  readonly other: number;
};

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

/** Return the last day for which some local rates of a state are known to be right; empty if there are none. */
export const knownUntil = (
  { coveredUntil, coverageSeen }: StateContent,
  rows: readonly LocalRate[],
): string => {
  if (rows.length === 0) return '';
  const isCovered = coveredUntil !== '' && rows.some(({ seen }) => seen <= coveredUntil);
  return isCovered ? coveredUntil : ([coverageSeen, ...rows.map(({ seen }) => seen)].sort().at(-1) ?? '');
};

/**
 * Return the limit beyond which a day lies, as in `known until 2026-03-31`; `undefined` if the sources of a state's
 * local rates cover it. Rows of newer tables, such as imported ones, were seen after the last covered day: where all rows
 * are such rows, the day is covered.
 *
 * @param rows the local rates of a place, or of the state, on the day
 */
export const outsideSpan = (
  { coveredSince, coveredUntil }: StateContent,
  rows: readonly LocalRate[],
  date: CalendarDate,
): string | undefined => {
  // Rows of an older table, such as an imported one, were seen before the first covered day.
  const isEarly = date < coveredSince && !(rows.length > 0 && rows.every(({ seen }) => seen < coveredSince));
  if (isEarly) return `known since ${coveredSince}`;
  const isPast = coveredUntil !== '' && coveredUntil < date && rows.some(({ seen }) => seen <= coveredUntil);
  return isPast ? `known until ${coveredUntil}` : undefined;
};
