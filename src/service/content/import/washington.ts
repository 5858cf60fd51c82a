import { formatRate, type Rate, rate } from '../../../kernel/rate.ts';
import { type BoundaryArea, PLUS4_COUNT } from '../boundaries/boundary-record.ts';
import { ContentRefusedError } from '../content-error.ts';
import { OPEN_END } from '../dated.ts';
import { placeKey } from '../place-name.ts';
import type { TaxContent } from '../tax-content.ts';
import { type BoundaryLayout, type BoundaryReader, plus4Of, zipOf } from './boundary-file.ts';
import type { OfficialFile } from './official-file.ts';
import { type ParsedFile, replacedFrom } from './parsed-file.ts';
import { compactDate, fileRow, fractionRate } from './state-rows.ts';
import type { TextRow } from './table-rows.ts';

/** The state whose files these are. */
const STATE = 'WA';
const HEADER = 'NAME,CODE,STATE,LOCAL,RTA,RATE,EFFECTIVE DATE,EXPIRATION DATE';
const RATES_FIELDS = 8;
const RATE_MAX = 1_500_000;

export const isWashingtonRates = (rows: readonly (readonly string[])[]): boolean =>
  (rows[0] ?? []).slice(0, RATES_FIELDS).join(',').toUpperCase() === HEADER;

/** Return a county's federal code: counties are numbered alphabetically, and the codes are the odd numbers in order. */
const countyOf = (content: TaxContent, location: string): string => {
  const code = String(Number(location.slice(0, 2)) * 2 - 1).padStart(3, '0');
  return content.counties.has(`${content.stateFips.get(STATE)}${code}`) ? code : '';
};

const rateOf = (text: string, place: string): Rate => fractionRate(text, RATE_MAX, place);

/** Read the rates by location: the local part becomes a city rate, the regional transit a special one. */
export const parseWashingtonRates = (
  file: OfficialFile,
  rows: readonly (readonly string[])[],
  content: TaxContent,
): ParsedFile => {
  const localRates = rows.slice(1).flatMap((fields, index) => locationRows(file, fields, index, content));
  const from = localRates[0]?.['from'] ?? '';
  if (localRates.some((each) => each['from'] !== from)) {
    throw new ContentRefusedError(file.name, 'the locations are of more than one quarter');
  }
  return {
    kind: 'washington-rates',
    state: STATE,
    period: { label: from, first: from, last: from },
    rows: rows.length - 1,
    stateRates: [],
    localRates,
    warnings: [],
    replaces: (existing) => (existing['state'] === STATE && existing['level'] ? replacedFrom(from) : []),
  };
};

const locationRows = (
  file: OfficialFile,
  fields: readonly string[],
  index: number,
  content: TaxContent,
): TextRow[] => {
  const place = `${file.name}: row ${index + 2}`;
  const [name = '', code = '', state = '', local = '', rta = '', total = '', begin = ''] = fields;
  if (fields.length < RATES_FIELDS || !/^\d{4}$/.test(code)) {
    throw new ContentRefusedError(place, 'the line does not name a location');
  }
  const parts = [state, local, rta].map((text) => rateOf(text, place));
  if (parts.reduce((sum, part) => sum + part, 0) !== rateOf(total, place)) {
    throw new ContentRefusedError(place, `the parts of the rate of ${name} do not add up to ${total}`);
  }
  const from = compactDate(begin, place);
  const county = countyOf(content, code);
  const isOutside = /\bUNINC/i.test(name);
  const plain = name.replace(/\s*\(.*\)\s*$/, '');
  const isKnown = county !== '' && (isOutside || content.places.has(`${STATE} ${placeKey(plain)}`));
  // A second location of the same name is inside or outside a transit district: only an address can tell them apart.
  const isSplit = plain !== name;
  const area =
    !isKnown || isSplit
      ? {}
      : { scope: isOutside ? 'unincorporated' : 'place', counties: county, places: isOutside ? '' : plain };
  const row = (level: string, called: string, value = 0) =>
    fileRow(STATE, { level, code, name: called, rate: formatRate(rate(value)), from, seen: from, ...area });
  const localRow = row('city', name, parts[1]);
  return parts[2] === 0 ? [localRow] : [localRow, row('special', `${name} regional transit`, parts[2])];
};

const FIELDS = 9;
const ZIP4_HEADER = /^ZIP,PLUS4/i;
/** The start of a line: a ZIP, the low and the high +4, and a location. */
const LINE = /^\d{5},\d{1,4},\d{1,4},\d{4},/;

/**
 * The ZIP+4 file of Washington: locations by ZIP+4; its long form has no header. The rates in it are those of the
 * locations, and are imported from the file of rates.
 */
export const washingtonZip4: BoundaryLayout = (file, content, firstLine) =>
  ZIP4_HEADER.test(firstLine) || LINE.test(firstLine) ? () => reader(file.name, content) : undefined;

const reader = (name: string, content: TaxContent): BoundaryReader => {
  const areas = new Map<string, BoundaryArea>();
  let first = '';
  const areaOf = (code: string, begin: string, place: string): BoundaryArea => {
    const known = areas.get(`${code} ${begin}`);
    if (known) return known;
    const from = compactDate(begin, place);
    const area = { from, to: OPEN_END, county: countyOf(content, code), place: code, specials: code };
    areas.set(`${code} ${begin}`, area);
    return area;
  };
  return {
    kind: 'washington-zip4',
    read: (line, place) => {
      if (ZIP4_HEADER.test(line)) return 'the header';
      const fields = line.split(',').map((field) => field.trim());
      const [zip = '', low = '', high = '', code = '', state = '', local = '', total = '', begin = ''] =
        fields;
      const start = zipOf(zip, place) * PLUS4_COUNT;
      const codes = { low: start + plus4Of(low, place), high: start + plus4Of(high, place) };
      if (fields.length !== FIELDS || codes.low > codes.high)
        throw new ContentRefusedError(place, 'the line is not a range of ZIP+4');
      if (rateOf(state, place) + rateOf(local, place) !== rateOf(total, place))
        throw new ContentRefusedError(place, `the parts of the rate do not add up to ${total}`);
      const area = areaOf(code, begin, place);
      first ||= area.from;
      return { area, codes };
    },
    described: () => {
      if (first === '') throw new ContentRefusedError(name, 'the file has no range of ZIP+4');
      return { state: STATE, period: { label: first, first, last: first } };
    },
  };
};
