import { addDays, type CalendarDate, calendarDate, parseDate } from '../../../kernel/calendar.ts';
import { Exact } from '../../../kernel/exact.ts';
import { formatRate, parseRate, RATE_PLACES, type Rate, rate } from '../../../kernel/rate.ts';
import { ContentRefusedError } from '../content-error.ts';
import { fileSource, inForce } from '../dated.ts';
import { localRatesAt } from '../local-rates-at.ts';
import { placesNamed } from '../place-lookup.ts';
import { placeKey } from '../place-name.ts';
import type { LocalRate, StateContent, TaxContent } from '../tax-content.ts';
import type { FilePeriod } from './parsed-file.ts';
import type { TextRow } from './table-rows.ts';

/** Sales tax rates are far below this; a higher value is from a column of something else. */
const RATE_MAX = 1_600_000;

/** Build a row of general tax from an official file; its area is unmapped unless the cells give it. */
export const fileRow = (
  state: string,
  { rate: value, ...cells }: Readonly<Record<string, string>> & { readonly rate: string },
): TextRow => ({
  state,
  tax: 'general',
  scope: 'unmapped',
  counties: '',
  places: '',
  except_places: '',
  to: '',
  source: fileSource(state),
  confidence: 'official-file',
  note: '',
  rate: value,
  ...cells,
});

/** Read a number as a rate in the unit of its last decimal place; `undefined` if it is not one. */
const rateIn = (number: string, places: number): Rate | undefined => {
  if (!/^\d*\.?\d+(?:[eE]-?\d+)?$/.test(number)) return undefined;
  const value = new Exact(number).mul(10 ** places).toDecimalPlaces(0);
  return value.greaterThan(RATE_MAX) ? undefined : rate(value.toNumber());
};

/** Read a rate in percent, with or without its sign. @throws {ContentRefusedError} */
export const percentRate = (text: string, place: string): Rate => {
  const value = rateIn(text.replace(/\s*%$/, ''), RATE_PLACES - 2);
  if (value === undefined)
    throw new ContentRefusedError(place, `${text || 'an empty cell'} is not a rate in percent`);
  return value;
};

/** Read a rate of a workbook: percent with its sign, or a fraction. @throws {ContentRefusedError} */
export const percentOrFraction = (text: string, place: string): Rate => {
  if (text.includes('%')) return percentRate(text, place);
  const value = rateIn(text, RATE_PLACES);
  if (value === undefined)
    throw new ContentRefusedError(
      place,
      `${text || 'an empty cell'} is not a rate: it is a fraction, as 0.066, or percent with its sign`,
    );
  return value;
};

/** Subtract a part from a rate. @throws {ContentRefusedError} when the rate is less than the part */
export const rateBeyond = (total: Rate, part: number, place: string): string => {
  if (total < part) throw new ContentRefusedError(place, `${formatRate(total)} is less than a part of it`);
  return formatRate(rate(total - part));
};

/** Return the rate of the state itself on a day. @throws {ContentRefusedError} when the content has none */
export const stateRateOn = (content: TaxContent, state: string, on: string, file: string): Rate => {
  const row = inForce(content.states.get(state)?.rates ?? [], on as CalendarDate);
  if (row === undefined) throw new ContentRefusedError(file, `the content has no rate of ${state} on ${on}`);
  return row.rate;
};

const bareKey = (name: string): string =>
  placeKey(name.replace(/\s+(?:county|co\.?)$/i, '')).replaceAll(' ', '');

/** Find the three-digit code of a county by its name. */
export const countyNamed = (content: TaxContent, state: string, name: string): string | undefined => {
  const key = bareKey(name);
  for (const [fips, known] of content.counties)
    if (content.countyStates.get(fips) === state && bareKey(known) === key) return fips.slice(2);
  return undefined;
};

/** Locate a city by its name: in one county if that is known, otherwise in all of its counties. */
export const cityCells = (
  content: TaxContent,
  state: string,
  name: string,
  county?: string,
): Readonly<Record<string, string>> | undefined => {
  const fitting = placesNamed(content, state, name).filter(
    ({ counties }) => county === undefined || counties.includes(county),
  );
  const found = fitting.find(({ incorporated }) => incorporated) ?? fitting[0];
  if (!found) return undefined;
  return {
    code: found.fips,
    name: found.name,
    scope: 'place',
    counties: county ?? found.counties.join(' '),
    places: found.name,
  };
};

/** Return the period of a file whose first day alone is known. @throws {ContentRefusedError} when it is not a day */
export const periodFrom = (first: string, file: string): FilePeriod => {
  const day = parseDate(first);
  if (day === undefined) throw new ContentRefusedError(file, 'the name does not say for which days it is');
  return { label: calendarDate(day), first: day, last: day };
};

/** A place in its county; an empty name means the part of the county outside its places. */
type KnownPlace = { readonly county: string; readonly name: string };

/** List the general local rates of the content at a place on a day. */
export const knownRates = (
  state: StateContent,
  { county, name }: KnownPlace,
  date: CalendarDate,
): LocalRate[] => {
  const place =
    name === '' ? undefined : { fips: '', name, key: placeKey(name), incorporated: true, counties: [county] };
  return localRatesAt({ state, county, place, boundary: undefined }, date).filter(
    ({ tax }) => tax === 'general',
  );
};

/** An end in this year or later means that a row has no end. */
const OPEN_YEAR = 2099;

/** Convert a `YYYYMMDD` day to `YYYY-MM-DD`. @throws {ContentRefusedError} when it is not a day */
export const compactDate = (text: string, place: string): string => {
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  if (!/^\d{8}$/.test(text) || parseDate(date) === undefined) {
    throw new ContentRefusedError(place, `${text || 'an empty cell'} is not a day (YYYYMMDD)`);
  }
  return date;
};

/** Read the last day of a row; empty for the years that mean no end. */
export const compactEnd = (text: string, place: string): string => {
  if (/^\d{8}$/.test(text) && Number(text.slice(0, 4)) >= OPEN_YEAR) return '';
  return compactDate(text, place);
};

export const dayBefore = (date: string): string => addDays(calendarDate(date), -1);
export const dayAfter = (date: string): string => addDays(calendarDate(date), 1);

/** Return the period of a quarter of a year. */
export const quarterOf = (year: number, quarter: number): FilePeriod => {
  const month = (quarter - 1) * 3 + 1;
  const first = `${year}-${String(month).padStart(2, '0')}-01`;
  const next = quarter === 4 ? `${year + 1}-01-01` : `${year}-${String(month + 3).padStart(2, '0')}-01`;
  return { label: `${year}Q${quarter}`, first, last: dayBefore(next) };
};

/** Read a rate as a fraction, up to the maximum of its column. @throws {ContentRefusedError} */
export const fractionRate = (text: string, max: number, place: string, what = 'a rate'): Rate => {
  const value = parseRate(text);
  if (value === undefined || value < 0 || value > max)
    throw new ContentRefusedError(place, `${text || 'an empty cell'} is not ${what}`);
  return value;
};

/** Return the latest of some days; empty if there are none. */
export const newestOf = (days: readonly string[]): string => days.toSorted().at(-1) ?? '';
