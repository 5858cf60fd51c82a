import { type BoundaryArea, type BoundaryRecord, PLUS4_COUNT, streetKey } from '../content/boundaries.ts';
import { ContentRefusedError, OPEN_END } from '../content/content-folder.ts';
import type { TaxContent } from '../content/tax-content.ts';
import { dayOf, endDayOf, lineBatches, type OfferedFile } from './official-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import { parseSstName, stateNumbered } from './sst-rates.ts';

/** Reads the lines of one boundary file, from the first to the last. */
type BoundaryReader = ReturnType<typeof readerOf>;

/**
 * Read a boundary file to its end, so that it is imported completely or not at all. Its records are read again when
 * they are written: the largest files have millions, too many to hold in memory.
 */
export const parseBoundaryFile = async (file: OfferedFile, content: TaxContent): Promise<ParsedFile> => {
  const first = readerOf(file, content);
  const ignored = new Map<string, number>();
  let rows = 0;
  for await (const records of recordBatches(file, first)) {
    rows += records.length;
    for (const record of records)
      if (typeof record === 'string') ignored.set(record, (ignored.get(record) ?? 0) + 1);
  }
  return {
    kind: 'sst-boundary',
    ...first.described(),
    rows,
    rates: [],
    boundaries: async function* () {
      for await (const records of recordBatches(file, readerOf(file, content)))
        yield records.filter((record) => typeof record !== 'string');
    },
    replaces: () => [],
    warnings: [...ignored].map(([why, count]) => `${count} of ${rows} rows were left out: ${why}.`),
  };
};

const recordBatches = async function* (
  file: OfferedFile,
  { read }: BoundaryReader,
): AsyncGenerator<readonly (BoundaryRecord | string)[]> {
  let number = 0;
  for await (const lines of lineBatches(file)) {
    const records: (BoundaryRecord | string)[] = [];
    for (const line of lines) {
      number += 1;
      if (line.trim() === '') continue;
      records.push(read(line, `${file.name}:${number}`));
    }
    yield records;
  }
};

/** Read a ZIP, from which spreadsheets may have removed the leading zeros. @throws {ContentRefusedError} */
const zipOf = (text: string, place: string): number => {
  if (/^\d{3,5}$/.test(text)) return Number(text);
  throw new ContentRefusedError(place, `${text || 'an empty cell'} is not a ZIP`);
};

/** Read the four digits after a ZIP. @throws {ContentRefusedError} */
const plus4Of = (text: string, place: string): number => {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new ContentRefusedError(place, `${text || 'an empty cell'} is not the +4 of a ZIP`);
};

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

/**
 * Whether a file is a boundary file of a Streamlined Sales Tax member, which says what jurisdictions apply at which
 * addresses.
 */
export const isBoundaryFile = ({ name }: OfferedFile, firstLine: string): boolean =>
  parseSstName(name)?.part === 'B' || LINE.test(firstLine);

const readerOf = (file: OfferedFile, content: TaxContent) => {
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
    /**
     * Return the record of a line, or the reason why it has none.
     *
     * @throws {ContentRefusedError} when the line is damaged
     */
    read: (line: string, place: string): BoundaryRecord | string => {
      const start = line.split(',', FIELDS_BEFORE_DISTRICTS);
      const area = areaOf(line, start, place);
      fips ||= start[22]?.trim() ?? '';
      return recordOf(start, place, area);
    },
    /** Return the state and the period of the file, once it has been read. @throws {ContentRefusedError} */
    described: () => ({ state: stateNumbered(content, fips, file.name), period: name?.period }),
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
  const low = at(3) || '0';
  const high = at(4) || String(HIGHEST_HOUSE);
  if (!/^\d+$/.test(low) || !/^\d+$/.test(high)) return 'house numbers that are not numbers alone';
  const street = streetKey([at(6), at(7), at(8), at(9)].join(' '));
  const side = SIDES[at(5).toUpperCase()] ?? 'both';
  return { area, houses: { zip, street, low: Number(low), high: Number(high), side } };
};

/** Read the codes of the districts from the groups of source, code and type at the end of a line. */
const districtsOf = (fields: readonly string[]): string => {
  const codes: string[] = [];
  for (let index = FIELDS_BEFORE_DISTRICTS; index + 1 < FIELDS; index += 3) {
    const code = fields[index + 1] ?? '';
    if (code !== '' && fields[index + 2] !== ALIAS_TYPE) codes.push(code);
  }
  return codes.join(' ');
};
