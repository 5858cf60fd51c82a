import { DatabaseSync } from 'node:sqlite';
import { ContentDamagedError } from '../content-error.ts';
import { parseStreet } from '../street-name.ts';
import type { BoundaryAnswer, BoundaryHit, BoundaryIndex } from '../tax-content.ts';
import { LAYOUT, PLUS4_COUNT, SIDES } from './boundary-record.ts';

type AreaRow = { readonly county: string; readonly place: string; readonly specials: string };
type HouseRow = AreaRow & { readonly low: number; readonly high: number; readonly side: number };
type CodeRow = AreaRow & { readonly low: number; readonly width: number };

/** A range that covers the ZIP except for its first and last ZIP+4 counts as the whole ZIP. */
const WIDE = PLUS4_COUNT - 3;

const IN_FORCE = 'first <= :date and last >= :date';

/** The row with the narrowest range of house numbers comes first. */
const HOUSES = `
  select low, high, side, county, place, specials from houses join areas on areas.id = area
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
  select low, width, county, place, specials ${WITH_CODE}
    and low <= :code and low >= max(:zip, :code - (
      select width ${WITH_CODE} and low between :zip and :code order by low desc, width limit 1))
  order by width, low desc limit 1`;

const WHOLE_ZIP = `
  select low, width, county, place, specials from codes join areas on areas.id = area
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
  const { file, source } = open(path, name);
  const hitOf = hitsFrom(source);
  const houses = file.prepare(HOUSES);
  const codes = file.prepare(CODES);
  const wholeZip = file.prepare(WHOLE_ZIP);
  const areas = file.prepare(AREAS_OF_ZIP);
  const byStreet = (zip: number, line: string, date: string): BoundaryAnswer | undefined => {
    const address = parseStreet(line);
    if (!address) return undefined;
    const { number, street } = address;
    const side = number % 2 === 0 ? SIDES.even : SIDES.odd;
    const rows = houses.all({ zip, street, number, side, date }) as unknown as readonly HouseRow[];
    const [row] = rows;
    if (!row) return undefined;
    const by = `${row.low} to ${row.high} ${street}${SIDE_WORDS[row.side] ?? ''}`;
    return { hit: hitOf(row, 'address', by), isDivided: rows.some((other) => !isSameArea(row, other)) };
  };
  const byCode = (zip: number, plus4: string | undefined, date: string): BoundaryAnswer | undefined => {
    if (plus4 === undefined) return undefined;
    const start = zip * PLUS4_COUNT;
    const row = codes.get({ zip: start, code: start + Number(plus4), date }) as CodeRow | undefined;
    if (!row) return undefined;
    const by = `ZIP+4 ${codeText(row.low)} to ${codeText(row.low + row.width)}`;
    return { hit: hitOf(row, 'zip4', by), isDivided: false };
  };
  const byZip = (zip: number, date: string): BoundaryAnswer => {
    const [area, other] = areas.all({ zip, date }) as unknown as readonly AreaRow[];
    const isDivided = other !== undefined;
    const whole = isDivided ? wholeZip.get({ zip: zip * PLUS4_COUNT, date }) : area;
    const by = `ZIP ${String(zip).padStart(5, '0')}`;
    return { hit: whole && hitOf(whole as AreaRow, 'zip5-unique', by), isDivided };
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

const SIDE_WORDS: Readonly<Record<number, string>> = {
  [SIDES.odd]: ', odd numbers',
  [SIDES.even]: ', even numbers',
};

/** Open the file. Reading the first row also detects a file that is cut off. */
const open = (path: string, name: string): { readonly file: DatabaseSync; readonly source: string } => {
  try {
    const file = new DatabaseSync(path, { readOnly: true });
    const layout = file.prepare('pragma user_version').get()?.['user_version'];
    if (layout !== LAYOUT) throw new Error(`its layout is ${layout} and not ${LAYOUT}`);
    return { file, source: String(file.prepare('select file from source').get()?.['file']) };
  } catch (cause) {
    throw damaged(name, cause);
  }
};

const damaged = (name: string, cause?: unknown): ContentDamagedError =>
  new ContentDamagedError(name, 'the index of boundaries cannot be read', cause);

const hitsFrom =
  (source: string) =>
  ({ county, place, specials }: AreaRow, precision: BoundaryHit['precision'], by: string): BoundaryHit => ({
    county,
    place,
    specials: specials === '' ? [] : specials.split(' '),
    precision,
    by,
    source,
  });

const isSameArea = (left: AreaRow, right: AreaRow): boolean =>
  left.county === right.county && left.place === right.place && left.specials === right.specials;

/** Format `681020100` as `68102-0100`. */
const codeText = (code: number): string => {
  const digits = String(code).padStart(9, '0');
  return `${digits.slice(0, 5)}-${digits.slice(5)}`;
};
