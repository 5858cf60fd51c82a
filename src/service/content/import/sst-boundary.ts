import { type BoundaryArea, type BoundaryRecord, PLUS4_COUNT } from '../boundaries/boundary-record.ts';
import { ContentRefusedError } from '../content-error.ts';
import { OPEN_END } from '../dated.ts';
import { streetKey } from '../street-name.ts';
import type { TaxContent } from '../tax-content.ts';
import { type BoundaryLayout, type BoundaryReader, plus4Of, zipOf } from './boundary-file.ts';
import { dayOf, endDayOf } from './cell-values.ts';
import type { OfferedFile } from './official-file.ts';
import { parseSstName, stateNumbered } from './sst-name.ts';

/** Fields of a line; some files have one comma too many. */
const FIELDS = 89;
/** Fields before the groups of district source, code and type. */
const FIELDS_BEFORE_DISTRICTS = 29;
/** In some states, groups of this type are aliases of the state and not taxes. */
const ALIAS_TYPE = '45';
/** The start of a line: a record type and two days. */
const LINE = /^[A4Z],\d{8},\d{8},/i;
/** More ZIPs than any state has in sequence. */
const ZIPS_MAX = 10_000;
const SIDES: Readonly<Record<string, 'odd' | 'even'>> = { O: 'odd', E: 'even' };

/** Boundary files of the Streamlined Sales Tax members: which jurisdictions apply at which addresses. */
export const sstBoundary: BoundaryLayout = (file, content, firstLine) =>
  parseSstName(file.name)?.part === 'B' || LINE.test(firstLine) ? () => reader(file, content) : undefined;

const reader = (file: OfferedFile, content: TaxContent): BoundaryReader => {
  const name = parseSstName(file.name);
  const areas = new Map<string, BoundaryArea>();
  let fips = '';
  /** Many lines repeat the same jurisdictions for other addresses: these fields are parsed and checked once. */
  const areaOf = (line: string, start: readonly string[], place: string): BoundaryArea => {
    const districts = line.slice(start.join().length);
    const key = `${start[1]},${start[2]},${start[24]},${start[25]}${districts}`;
    const known = areas.get(key);
    if (known) return known;
    const fields = line.split(',').map((field) => field.trim());
    if (fields.length !== FIELDS && fields.length !== FIELDS + 1)
      throw new ContentRefusedError(place, `the line has ${fields.length} fields instead of ${FIELDS}`);
    const at = (index: number): string => fields[index] ?? '';
    const area = {
      from: dayOf(at(1), place),
      to: endDayOf(at(2), place) || OPEN_END,
      county: at(24),
      place: at(25),
      specials: districtsOf(fields),
    };
    areas.set(key, area);
    return area;
  };
  return {
    kind: 'sst-boundary',
    read: (line, place) => {
      const start = line.split(',', FIELDS_BEFORE_DISTRICTS);
      const area = areaOf(line, start, place);
      fips ||= start[22]?.trim() ?? '';
      return recordOf(start, place, area);
    },
    described: () => ({ state: stateNumbered(content, fips, file.name, name), period: name?.period }),
  };
};

const recordOf = (fields: readonly string[], place: string, area: BoundaryArea): BoundaryRecord | string => {
  const at = (index: number): string => fields[index]?.trim() ?? '';
  switch (at(0).toUpperCase()) {
    case 'A':
      return houseRecord(at, place, area);
    case '4': {
      const low = zipOf(at(17), place) * PLUS4_COUNT + plus4Of(at(18) || '0', place);
      const high = zipOf(at(19), place) * PLUS4_COUNT + plus4Of(at(20) || '9999', place);
      return { area, codes: codeRange(low, high, place) };
    }
    case 'Z': {
      const low = zipOf(at(17), place) * PLUS4_COUNT;
      const high = (zipOf(at(19) || at(17), place) + 1) * PLUS4_COUNT - 1;
      return { area, codes: codeRange(low, high, place) };
    }
    default:
      throw new ContentRefusedError(place, `${at(0) || 'an empty cell'} is not a type of boundary record`);
  }
};

const codeRange = (low: number, high: number, place: string) => {
  if (low > high || high - low > ZIPS_MAX * PLUS4_COUNT)
    throw new ContentRefusedError(place, 'the line is not a range of ZIPs');
  return { low, high };
};

const HIGHEST_HOUSE = 9_999_999;

const houseRecord = (
  at: (index: number) => string,
  place: string,
  area: BoundaryArea,
): BoundaryRecord | string => {
  if (at(15) === '') return 'streets without a ZIP';
  const zip = zipOf(at(15), place);
  const [low, high] = [at(3) || '0', at(4) || String(HIGHEST_HOUSE)];
  if (!/^\d+$/.test(low) || !/^\d+$/.test(high)) return 'house numbers that are not numbers alone';
  const street = streetKey([at(6), at(7), at(8), at(9)].join(' '));
  const side = SIDES[at(5).toUpperCase()] ?? 'both';
  return { area, houses: { zip, street, low: Number(low), high: Number(high), side } };
};

/** Read the codes of the districts from the groups of source, code and type at the end of a line. */
const districtsOf = (fields: readonly string[]): string => {
  const codes: string[] = [];
  for (let index = FIELDS_BEFORE_DISTRICTS; index + 1 < FIELDS; index += 3) {
    const [code = '', type = ''] = [fields[index + 1], fields[index + 2]];
    if (code !== '' && type !== ALIAS_TYPE) codes.push(code);
  }
  return codes.join(' ');
};
