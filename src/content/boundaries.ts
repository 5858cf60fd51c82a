import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteError } from '../database/database-errors.ts';
import { ContentDamagedError } from './content-folder.ts';
import type { BoundaryAnswer, BoundaryHit, BoundaryIndex } from './tax-content.ts';

/** The jurisdictions of an area, and the days on which they apply. All records of an area share one object. */
export type BoundaryArea = {
  readonly from: string;
  readonly to: string;
  /** Codes as in the rates of the state; empty if there is none. District codes are separated by blanks. */
  readonly county: string;
  readonly place: string;
  readonly specials: string;
};

/** House numbers of one street within a ZIP, on one side of the street or on both. */
type HouseRange = {
  readonly zip: number;
  readonly street: string;
  readonly low: number;
  readonly high: number;
  readonly side: 'odd' | 'even' | 'both';
};

/** A range of ZIP+4, as numbers of nine digits; a ZIP as a whole is 0000 to 9999. */
type CodeRange = { readonly low: number; readonly high: number };

/** One record of a boundary file. */
export type BoundaryRecord = { readonly area: BoundaryArea } & (
  | { readonly houses: HouseRange }
  | { readonly codes: CodeRange }
);

/** ZIP+4 within a ZIP. */
export const PLUS4_COUNT = 10_000;

/** The layout of the file. Files with another layout must be imported again. */
export const LAYOUT = 1;

/**
 * Names and areas are numbered, and both tables of ranges are their own index, so a range takes about twenty bytes.
 * `zips` lists the areas that contain any part of a ZIP.
 */
export const SCHEMA = `
  create table source (file text not null) strict;
  create table areas (
    id integer primary key, first text not null, last text not null,
    county text not null, place text not null, specials text not null
  ) strict;
  create table streets (id integer primary key, name text not null unique) strict;
  create table houses (
    zip integer not null, street integer not null, low integer not null, high integer not null,
    side integer not null, area integer not null,
    primary key (zip, street, low, high, side, area)
  ) strict, without rowid;
  create table codes (
    low integer not null, width integer not null, area integer not null,
    primary key (low, width, area)
  ) strict, without rowid;
  create table zips (
    zip integer not null, area integer not null, primary key (zip, area)
  ) strict, without rowid;
`;

/** The stored codes for the sides of a street. */
export const SIDES = { both: 0, odd: 1, even: 2 } as const;

const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['NORTH', 'N'],
  ['SOUTH', 'S'],
  ['EAST', 'E'],
  ['WEST', 'W'],
  ['NORTHEAST', 'NE'],
  ['NORTHWEST', 'NW'],
  ['SOUTHEAST', 'SE'],
  ['SOUTHWEST', 'SW'],
  ['ALLEY', 'ALY'],
  ['AVENUE', 'AVE'],
  ['BOULEVARD', 'BLVD'],
  ['CIRCLE', 'CIR'],
  ['COURT', 'CT'],
  ['COVE', 'CV'],
  ['CROSSING', 'XING'],
  ['DRIVE', 'DR'],
  ['EXPRESSWAY', 'EXPY'],
  ['FREEWAY', 'FWY'],
  ['HIGHWAY', 'HWY'],
  ['LANE', 'LN'],
  ['PARKWAY', 'PKWY'],
  ['PLACE', 'PL'],
  ['PLAZA', 'PLZ'],
  ['POINT', 'PT'],
  ['RIDGE', 'RDG'],
  ['ROAD', 'RD'],
  ['SQUARE', 'SQ'],
  ['STREET', 'ST'],
  ['TERRACE', 'TER'],
  ['TRAIL', 'TRL'],
  ['TURNPIKE', 'TPKE'],
]);

/** Return the form in which street names are compared: upper case, no punctuation, short forms of the post office. */
export const streetKey = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[.,#']/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => SHORT_FORMS.get(word) ?? word)
    .join(' ');

/** Words that are followed only by the number of the flat, suite or floor. */
const UNIT_WORDS = /\s(?:APT|UNIT|STE|SUITE|FL|FLOOR|RM|ROOM|BLDG|LOT)\s.*$/;

/** From the house number to a comma or a number sign, which is followed by a flat or by the city. */
const NUMBER_AND_STREET = /^\s*\d\S*\s+[^,#]*/;

/** Read the house number and street of an address line; `undefined` when it does not begin with a number. */
export const parseStreet = (
  line: string,
): { readonly number: number; readonly street: string } | undefined => {
  const [text = line] = NUMBER_AND_STREET.exec(line) ?? [];
  const parts = /^(\d{1,7})[A-Z]?(?:\s\d\/\d)?\s+(.+)$/.exec(streetKey(text));
  if (!parts) return undefined;
  return { number: Number(parts[1]), street: (parts[2] ?? '').replace(UNIT_WORDS, '') };
};

type AreaRow = Pick<BoundaryArea, 'county' | 'place' | 'specials'>;

/** A range that covers the ZIP except for its first and last ZIP+4 counts as the whole ZIP. */
const WIDE = PLUS4_COUNT - 3;

const IN_FORCE = 'first <= :date and last >= :date';

/** The row with the narrowest range of house numbers comes first. */
const HOUSES = `
  select county, place, specials from houses join areas on areas.id = area
  where zip = :zip and street = (select id from streets where name = :street)
    and low <= :number and high >= :number and side in (${SIDES.both}, :side) and ${IN_FORCE}
  order by high - low`;

/** The ranges with a ZIP+4, without those of the whole ZIP. */
const WITH_CODE = `
  from codes join areas on areas.id = area
  where low + width >= :code and width < ${WIDE} and ${IN_FORCE}`;

/**
 * The narrowest range with a ZIP+4. A narrower one than that which begins last begins within its width before the ZIP+4,
 * so only a few of the ranges of a large ZIP are read.
 */
const CODES = `
  select county, place, specials ${WITH_CODE}
    and low <= :code and low >= max(:zip, :code - (
      select width ${WITH_CODE} and low between :zip and :code order by low desc, width limit 1))
  order by width, low desc limit 1`;

const WHOLE_ZIP = `
  select county, place, specials from codes join areas on areas.id = area
  where low between :zip and :zip + 1 and width >= ${WIDE} and ${IN_FORCE}
  order by width desc limit 1`;

/** The different areas of a ZIP, at most two: with two areas the ZIP is divided. */
const AREAS_OF_ZIP = `
  select distinct county, place, specials from zips join areas on areas.id = area
  where zip = :zip and ${IN_FORCE} limit 2`;

/**
 * Open the index of an imported boundary file. A lookup reads the rows of one street or of one ZIP; only some pages of
 * the file are kept in memory. A street takes precedence over a ZIP+4, and that over the ZIP.
 *
 * @throws {ContentDamagedError} when the file is missing, cut off, or of another layout
 */
export const boundaryIndex = (path: string, name: string): BoundaryIndex => {
  const file = open(path, name);
  const houses = file.prepare(HOUSES);
  const codes = file.prepare(CODES);
  const wholeZip = file.prepare(WHOLE_ZIP);
  const areas = file.prepare(AREAS_OF_ZIP);
  const byStreet = (zip: number, line: string, date: string): BoundaryAnswer | undefined => {
    const address = parseStreet(line);
    if (!address) return undefined;
    const { number, street } = address;
    const side = number % 2 === 0 ? SIDES.even : SIDES.odd;
    const rows = houses.all({ zip, street, number, side, date }) as unknown as readonly AreaRow[];
    const [row] = rows;
    return row && { hit: hitOf(row), isDivided: rows.some((other) => !isSameArea(row, other)) };
  };
  const byCode = (zip: number, plus4: string | undefined, date: string): BoundaryAnswer | undefined => {
    if (plus4 === undefined) return undefined;
    const start = zip * PLUS4_COUNT;
    const row = codes.get({ zip: start, code: start + Number(plus4), date }) as AreaRow | undefined;
    return row && { hit: hitOf(row), isDivided: false };
  };
  const byZip = (zip: number, date: string): BoundaryAnswer => {
    const [area, other] = areas.all({ zip, date }) as unknown as readonly AreaRow[];
    const isDivided = other !== undefined;
    const whole = isDivided ? wholeZip.get({ zip: zip * PLUS4_COUNT, date }) : area;
    return { hit: whole && hitOf(whole as AreaRow), isDivided };
  };
  return {
    find: (zip5, plus4, street, date) => {
      const zip = Number(zip5);
      try {
        return byStreet(zip, street, date) ?? byCode(zip, plus4, date) ?? byZip(zip, date);
      } catch (cause) {
        throw damaged(name, cause);
      }
    },
  };
};

/** Open the file. Reading the first row also detects a file that is cut off. */
const open = (path: string, name: string): DatabaseSync => {
  try {
    const file = new DatabaseSync(path, { readOnly: true });
    const layout = file.prepare('pragma user_version').get()?.['user_version'];
    if (layout !== LAYOUT) throw new Error(`its layout is ${layout} and not ${LAYOUT}`);
    file.prepare('select file from source').get();
    return file;
  } catch (cause) {
    throw damaged(name, cause);
  }
};

const damaged = (name: string, cause?: unknown): ContentDamagedError =>
  new ContentDamagedError(name, 'the index of boundaries cannot be read', cause);

const hitOf = ({ county, place, specials }: AreaRow): BoundaryHit => ({
  county,
  place,
  specials: specials === '' ? [] : specials.split(' '),
});

const isSameArea = (left: AreaRow, right: AreaRow): boolean =>
  left.county === right.county && left.place === right.place && left.specials === right.specials;

/** The file is not visible to others before it is complete, and one that is cut off is written again. */
const SETTINGS = `
  pragma journal_mode = off;
  pragma synchronous = off;
  pragma locking_mode = exclusive;
  pragma cache_size = -16384;
`;

/**
 * Write the records of a boundary file to a SQLite file in which rows can be looked up. Memory holds the street names
 * and the areas, regardless of the number of records. The same records produce the same bytes.
 */
export const writeBoundaries = async (
  path: string,
  {
    source,
    records,
  }: { readonly source: string; readonly records: AsyncIterable<readonly BoundaryRecord[]> },
): Promise<void> => {
  rmSync(path, { force: true });
  const file = new DatabaseSync(path);
  try {
    file.exec(SETTINGS);
    file.exec(SCHEMA);
    file.exec('begin');
    file.prepare('insert into source values (?)').run(source);
    const add = inserter(file);
    for await (const batch of records) for (const record of batch) add(record);
    file.exec(`
      insert into zips select zip, area from houses union select low / ${PLUS4_COUNT}, area from codes;
      pragma user_version = ${LAYOUT};
      commit;
      vacuum;
    `);
  } catch (cause) {
    throw sqliteError(cause, path) ?? cause;
  } finally {
    file.close();
  }
};

/** Returns a function that numbers values in the order in which they first come, and inserts each once. */
const numbered = <Value>(insert: (id: number, value: Value) => void): ((value: Value) => number) => {
  const ids = new Map<Value, number>();
  return (value) => {
    const known = ids.get(value);
    if (known !== undefined) return known;
    ids.set(value, ids.size + 1);
    insert(ids.size, value);
    return ids.size;
  };
};

const inserter = (file: DatabaseSync): ((record: BoundaryRecord) => void) => {
  const insertStreet = file.prepare('insert into streets values (?, ?)');
  const insertArea = file.prepare('insert into areas values (?, ?, ?, ?, ?, ?)');
  const insertHouses = file.prepare('insert or ignore into houses values (?, ?, ?, ?, ?, ?)');
  const insertCodes = file.prepare('insert or ignore into codes values (?, ?, ?)');
  const streetId = numbered((id, name: string) => insertStreet.run(id, name));
  const areaId = numbered((id, { from, to, county, place, specials }: BoundaryArea) =>
    insertArea.run(id, from, to, county, place, specials),
  );
  return (record) => {
    const area = areaId(record.area);
    if ('houses' in record) {
      const { zip, street, low, high, side } = record.houses;
      insertHouses.run(zip, streetId(street), low, high, SIDES[side], area);
      return;
    }
    // A range over several ZIPs is split by ZIP, so that a lookup only reads its own ZIP.
    for (let { low } = record.codes; low <= record.codes.high; ) {
      const end = Math.min(record.codes.high, low - (low % PLUS4_COUNT) + PLUS4_COUNT - 1);
      insertCodes.run(low, end - low, area);
      low = end + 1;
    }
  };
};
