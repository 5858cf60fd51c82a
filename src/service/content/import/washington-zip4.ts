import { type BoundaryArea, PLUS4_COUNT } from '../boundaries/boundary-record.ts';
import { ContentRefusedError } from '../content-error.ts';
import { OPEN_END } from '../dated.ts';
import type { TaxContent } from '../tax-content.ts';
import { type BoundaryLayout, type BoundaryReader, plus4Of, zipOf } from './boundary-file.ts';
import { dayOf, rateOf } from './cell-values.ts';

/** The state whose file this is. */
const STATE = 'WA';

/** Return a county's federal code: counties are numbered alphabetically, and the codes are the odd numbers in order. */
const countyOf = (content: TaxContent, location: string): string => {
  const code = String(Number(location.slice(0, 2)) * 2 - 1).padStart(3, '0');
  return content.counties.has(`${content.stateFips.get(STATE)}${code}`) ? code : '';
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
    const from = dayOf(begin, place);
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
      if (
        rateOf(state, 'fraction', place) + rateOf(local, 'fraction', place) !==
        rateOf(total, 'fraction', place)
      )
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
