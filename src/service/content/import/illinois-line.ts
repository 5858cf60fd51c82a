import { ContentRefusedError } from '../content-error.ts';
import { placeKey } from '../place-name.ts';
import type { TaxContent } from '../tax-content.ts';
import type { TextRow } from './table-rows.ts';

/** The state of both files. */
export const ILLINOIS = 'IL';
/** Units of 1e-7 in the five digits of a rate, which are hundred-thousandths. */
const RATE_STEP = 100;

/** The rate in the five digits at a position, in 1e-7. @throws {ContentRefusedError} when they are not digits */
export const rateAt = (line: string, position: number, place: string): number => {
  const text = line.slice(position, position + 5);
  if (!/^\d{5}$/.test(text)) throw new ContentRefusedError(place, `${text} is not a rate`);
  return Number(text) * RATE_STEP;
};

/** The cells of a location: a place in its county, or the part of a county outside its places. */
export const locationCells = (line: string, content: TaxContent): TextRow => {
  const code = line.slice(0, 10).trim();
  const name = line.slice(10, 35).trim();
  const countyName = line.slice(35, 60).trim();
  const county = [...content.counties].find(
    ([fips, label]) =>
      content.countyStates.get(fips) === ILLINOIS &&
      placeKey(label.replace(/ County$/, '')).replaceAll(' ', '') ===
        placeKey(countyName).replaceAll(' ', ''),
  )?.[0];
  const base = { state: ILLINOIS, code, name, except_places: '', confidence: 'official-file', note: '' };
  if (county === undefined) return { ...base, level: 'city', scope: 'unmapped', counties: '', places: '' };
  const isOutside = /\bUNINC/i.test(name) || /\bCOUNTY\b/i.test(name);
  return {
    ...base,
    level: isOutside ? 'county' : 'city',
    scope: isOutside ? 'unincorporated' : 'place',
    counties: county.slice(2),
    places: isOutside ? '' : name,
  };
};
