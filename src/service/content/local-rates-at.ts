import type { CalendarDate } from '../../kernel/calendar.ts';
import { hasFileCode, isInForce } from './dated.ts';
import type { TaxPlace } from './place-lookup.ts';
import type { BoundaryHit, LocalRate } from './tax-content.ts';

/** The parts of a place that its rates depend on. */
export type RatedPlace = Pick<TaxPlace, 'state' | 'county' | 'place' | 'boundary'>;

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
