import { type CalendarDate, calendarDate } from '../../../kernel/calendar.ts';
import { formatRate, rate } from '../../../kernel/rate.ts';
import { ContentRefusedError } from '../content-error.ts';
import { inForce } from '../dated.ts';
import type { StateContent, TaxContent } from '../tax-content.ts';
import { linesOf, type OfficialFile } from './official-file.ts';
import { generalRates, type ParsedFile, replacedFrom } from './parsed-file.ts';
import { compactDate, countyNamed, knownRates, newestOf } from './state-rows.ts';
import type { TextRow } from './table-rows.ts';

const WIDTH = 211;
const OVERRIDE_AT = 60;
const BEGIN_AT = 61;
const HIGH_GENERAL_AT = 69;
const RATE_MAX = 1_500_000;

/** Whether a first line has the layout of the general merchandise file of Illinois. */
export const isIllinois = (line: string): boolean =>
  line.length === WIDTH && /^\d{10}/.test(line) && /^[YN ]\d{8}\d{20}/.test(line.slice(OVERRIDE_AT));

type Location = {
  readonly cells: TextRow;
  readonly begin: string;
  /** State and local together, in 1e-7; `undefined` when the rate depends on the street address. */
  readonly combined: number | undefined;
};

/**
 * Read the machine-readable rates of Illinois. A rate includes that of the state; the rest is the whole local part of
 * the location, and replaces every general local row of the state from the newest begin date on. Where the rate depends
 * on the street address, the file has none, and the rate known to the content is carried on.
 */
export const parseIllinois = (file: OfficialFile, content: TaxContent): ParsedFile => {
  const locations = locationsOf(file, content);
  const from = newestBegin(file, locations);
  const state = content.states.get(ILLINOIS);
  const stateRate = state && inForce(state.rates, from)?.rate;
  if (!state || stateRate === undefined)
    throw new ContentRefusedError(file.name, `the content has no rate of ${ILLINOIS} on ${from}`);
  const byStreet = locations.filter(({ combined }) => combined === undefined);
  return generalRates(ILLINOIS, {
    kind: 'illinois',
    period: { label: from, first: from, last: from },
    rows: locations.length,
    localRates: locations.map((location) => localRow(file, state, location, stateRate, from)),
    warnings: byStreet.map(
      ({ cells }) => `The rate of ${cells['name']} depends on the street: the known rate was carried on.`,
    ),
  });
};

const locationsOf = (file: OfficialFile, content: TaxContent): Location[] => {
  const locations: Location[] = [];
  let lines = 0;
  for (const line of linesOf(file)) {
    lines += 1;
    if (line.trim() === '') continue;
    const place = `${file.name}:${lines}`;
    if (line.length !== WIDTH) {
      throw new ContentRefusedError(place, `the line has ${line.length} characters instead of ${WIDTH}`);
    }
    locations.push({
      cells: locationCells(line, content),
      begin: compactDate(line.slice(BEGIN_AT, BEGIN_AT + 8), place),
      combined: line[OVERRIDE_AT] === 'Y' ? undefined : rateAt(line, HIGH_GENERAL_AT, place),
    });
  }
  return locations;
};

const newestBegin = (file: OfficialFile, locations: readonly Location[]): CalendarDate => {
  const newest = newestOf(locations.map(({ begin }) => begin));
  if (newest === '') throw new ContentRefusedError(file.name, 'the file has no location');
  return calendarDate(newest);
};

const localRow = (
  file: OfficialFile,
  state: StateContent,
  { cells, begin, combined }: Location,
  stateRate: number,
  from: CalendarDate,
): TextRow => {
  const row = { ...cells, tax: 'general', from, to: '', seen: from };
  if (combined === undefined) {
    const place = { county: cells['counties'] ?? '', name: cells['places'] ?? '' };
    const known = knownRates(state, place, from).reduce((total, rates) => total + rates.rate, 0);
    const note = 'depends on the street address; the rate known before the file';
    return { ...row, rate: formatRate(rate(known)), source: 'il-file', confidence: 'secondary', note };
  }
  if (combined < stateRate || combined > RATE_MAX) {
    throw new ContentRefusedError(
      `${file.name}: ${cells['name']}`,
      'the rate is lower than the rate of the state, or past 15 percent',
    );
  }
  const note = `the whole local part, in force since ${begin}`;
  return { ...row, rate: formatRate(rate(combined - stateRate)), source: 'il-file', note };
};

/** The state of both files. */
const ILLINOIS = 'IL';
/** Units of 1e-7 in the five digits of a rate, which are hundred-thousandths. */
const RATE_STEP = 100;

/** Read the rate in the five digits at a position, in 1e-7. @throws {ContentRefusedError} when they are not digits */
const rateAt = (line: string, position: number, place: string): number => {
  const text = line.slice(position, position + 5);
  if (!/^\d{5}$/.test(text)) throw new ContentRefusedError(place, `${text} is not a rate`);
  return Number(text) * RATE_STEP;
};

/** Return the cells of a location: a place in its county, or the part of a county outside its places. */
const locationCells = (line: string, content: TaxContent): TextRow => {
  const code = line.slice(0, 10).trim();
  const name = line.slice(10, 35).trim();
  const countyName = line.slice(35, 60).trim();
  const county = countyNamed(content, ILLINOIS, countyName);
  const base = { state: ILLINOIS, code, name, except_places: '', confidence: 'official-file', note: '' };
  if (county === undefined) return { ...base, level: 'city', scope: 'unmapped', counties: '', places: '' };
  const isOutside = /\bUNINC/i.test(name) || /\bCOUNTY\b/i.test(name);
  return {
    ...base,
    level: isOutside ? 'county' : 'city',
    scope: isOutside ? 'unincorporated' : 'place',
    counties: county,
    places: isOutside ? '' : name,
  };
};

const GROCERY_WIDTH = 106;
const GROCERY_BEGIN_AT = 60;
const HIGH_AT = 68;
const FLAG_AT = 78;

/** Whether a first line has the layout of the grocery file of Illinois. */
export const isIllinoisGrocery = (line: string): boolean =>
  line.length === GROCERY_WIDTH && /^\d{10}/.test(line) && /^\d{18}[YN ]/.test(line.slice(GROCERY_BEGIN_AT));

/** Read the local grocery rates of Illinois: which places tax food, and since when. A zero is a known rate of zero. */
export const parseIllinoisGrocery = (file: OfficialFile, content: TaxContent): ParsedFile => {
  const localRates: TextRow[] = [];
  let lines = 0;
  for (const line of linesOf(file)) {
    lines += 1;
    if (line.trim() === '') continue;
    const place = `${file.name}:${lines}`;
    if (line.length !== GROCERY_WIDTH || !/[YN ]/.test(line[FLAG_AT] ?? '')) {
      throw new ContentRefusedError(
        place,
        `the line has ${line.length} characters instead of ${GROCERY_WIDTH}`,
      );
    }
    const from = compactDate(line.slice(GROCERY_BEGIN_AT, GROCERY_BEGIN_AT + 8), place);
    localRates.push({
      ...locationCells(line, content),
      tax: 'food',
      rate: formatRate(rate(rateAt(line, HIGH_AT, place))),
      from,
      to: '',
      source: 'il-grocery-file',
      seen: from,
    });
  }
  return {
    kind: 'illinois-grocery',
    state: ILLINOIS,
    period: undefined,
    rows: localRates.length,
    stateRates: [],
    localRates,
    replaces: (row) => (row['state'] === ILLINOIS && row['tax'] === 'food' ? replacedFrom('') : []),
    warnings: [],
  };
};
