import type { CalendarDate } from '../../../kernel/calendar.ts';
import { parseDate } from '../../../kernel/calendar.ts';
import { Exact } from '../../../kernel/exact.ts';
import { formatRate, RATE_PLACES, type Rate, rate } from '../../../kernel/rate.ts';
import { ContentRefusedError } from '../content-error.ts';
import { placesNamed } from '../place-lookup.ts';
import { placeKey } from '../place-name.ts';
import type { StateContent, TaxContent } from '../tax-content.ts';
import type { OfficialFile } from './official-file.ts';
import { type ParsedFile, replacedFrom } from './parsed-file.ts';
import { fileRow, knownRates } from './state-rows.ts';
import type { TextRow } from './table-rows.ts';

/** The state of this table, and its state rate and uniform local rate together. The rest of a rate is districts. */
const STATE = 'CA';
const UNIFORM = 725_000;
const RATE_MAX = 1_500_000;
/** Decimal places of a published rate; further ones are the noise of a spreadsheet. */
const PLACES = 5;

type Location = {
  readonly name: string;
  readonly county: string;
  readonly isCity: boolean;
  readonly combined: Rate;
};

/** Whether one of the first rows is the header of the California table. */
export const isCdtfa = (rows: readonly (readonly string[])[]): boolean =>
  rows.slice(0, 10).some((row) => row.slice(0, 4).join(',').toLowerCase() === 'location,rate,county,type');

/**
 * Read the table of city and county rates of California. Counties whose rates match the content stay as they are,
 * district by district; where the table differs, its totals replace the districts of the county from its day on.
 */
export const parseCdtfa = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): ParsedFile => {
  const from = effectiveDate(file.name);
  const { locations, lines } = locationsOf(file, rows, content);
  const state = content.states.get(STATE);
  if (!state) throw new ContentRefusedError(file.name, `the content has no state ${STATE}`);
  const differing = locations.filter((location) => combinedAt(state, location, from) !== location.combined);
  const changed = withNeighbours(state, new Set(differing.map(({ county }) => county)));
  return {
    kind: 'cdtfa',
    state: STATE,
    period: { label: from, first: from, last: from },
    rows: lines,
    stateRates: [],
    localRates: locations
      .filter(({ county }) => changed.has(county))
      .map((place) => districtRow(place, from)),
    replaces: (row) => {
      const counties = (row['counties'] ?? '').split(' ');
      const isDistrict = row['state'] === STATE && row['level'] === 'special';
      return isDistrict && counties.some((county) => changed.has(county)) ? replacedFrom(from) : [];
    },
    // The table has every place, and these rates are a part of each.
    confirms: (row) => row['state'] === STATE && row['tax'] === 'general',
    warnings: changed.size === 0 ? [] : [`Districts of ${changed.size} counties became totals by place.`],
  };
};

/** Add the other counties of districts in several counties, because a district is replaced as a whole. */
const withNeighbours = (state: StateContent, changed: Set<string>): Set<string> => {
  let before = -1;
  while (before !== changed.size) {
    before = changed.size;
    for (const { level, counties } of state.localRates) {
      if (level !== 'special' || !counties.some((county) => changed.has(county))) continue;
      for (const county of counties) changed.add(county);
    }
  }
  return changed;
};

/** Read the first day of the table from a name such as `SalesTaxRates1-1-26`. */
const effectiveDate = (name: string): CalendarDate => {
  const parts = /(\d{1,2})-(\d{1,2})-(\d{2}|\d{4})\.\w+$/.exec(name);
  const [, month = '', day = '', year = ''] = parts ?? [];
  const date = parseDate(
    `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );
  if (date === undefined) {
    throw new ContentRefusedError(name, 'the name does not say from which day the table holds (M-D-YY)');
  }
  return date;
};

const locationsOf = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): { readonly locations: Location[]; readonly lines: number } => {
  const counties = new Map<string, string>();
  for (const [fips, name] of content.counties) {
    if (content.countyStates.get(fips) === STATE)
      counties.set(placeKey(name.replace(/ County$/, '')), fips.slice(2));
  }
  const start = rows.findIndex((row) => (row[0] ?? '').toLowerCase() === 'location') + 1;
  const locations: Location[] = [];
  const seen = new Set<string>();
  let lines = 0;
  for (const [index, row] of rows.slice(start).entries()) {
    const place = `${file.name}: row ${start + index + 1}`;
    lines += 1;
    const location = locationOf(content, row, counties, place);
    if (location === undefined) continue;
    const key = `${location.isCity} ${location.name} ${location.county}`;
    if (seen.has(key)) throw new ContentRefusedError(place, `${location.name} stands there twice`);
    seen.add(key);
    locations.push(location);
  }
  const missing = [...counties.values()].filter((code) => !locations.some(({ county }) => county === code));
  if (missing.length > 0) {
    throw new ContentRefusedError(file.name, `${missing.length} counties are missing: it is not complete`);
  }
  return { locations, lines };
};

/**
 * Read a location; `undefined` for the first line of a county whose rate applies only outside cities: it has no rate,
 * and its fields are shifted to the left.
 */
const locationOf = (
  content: TaxContent,
  row: readonly string[],
  counties: ReadonlyMap<string, string>,
  place: string,
): Location | undefined => {
  const [name = '', rateText = '', countyName = '', type = ''] = row;
  if (rateText === '' || countyName === 'County') return undefined;
  const county = counties.get(placeKey(countyName));
  if (county === undefined) throw new ContentRefusedError(place, `${countyName} is not a county`);
  if (type !== 'City' && type !== 'County')
    throw new ContentRefusedError(place, `${type} is not a type of place`);
  const [known] = placesNamed(content, STATE, name);
  return {
    name: known?.name ?? name,
    county,
    isCity: type === 'City',
    combined: combinedRate(rateText, place),
  };
};

const combinedRate = (text: string, place: string): Rate => {
  const isNumber = /^\d*\.?\d+(?:[eE]-?\d+)?$/.test(text);
  const value = isNumber
    ? new Exact(text)
        .toDecimalPlaces(PLACES)
        .mul(10 ** RATE_PLACES)
        .toNumber()
    : -1;
  if (value < UNIFORM || value > RATE_MAX) throw new ContentRefusedError(place, `${text} is not a rate`);
  return rate(value);
};

/** Return the rate of the content at a location on a day: state, county and districts together. */
const combinedAt = (state: StateContent, { name, county, isCity }: Location, date: CalendarDate): number =>
  knownRates(state, { county, name: isCity ? name : '' }, date)
    .filter(({ level }) => level === 'special')
    .reduce((total, row) => total + row.rate, UNIFORM);

const districtRow = ({ name, county, isCity, combined }: Location, from: string): TextRow =>
  fileRow(STATE, {
    level: 'special',
    code: `${isCity ? 'CITY' : 'COUNTY'}-${placeKey(name).toUpperCase().replaceAll(' ', '-')}`,
    name: `District taxes in ${name}`,
    scope: isCity ? 'place' : 'unincorporated',
    counties: county,
    places: isCity ? name : '',
    rate: formatRate(rate(combined - UNIFORM)),
    from,
    source: 'cdtfa-rates',
    seen: from,
    note: 'all districts of the place together, from the table of city and county rates',
  });
