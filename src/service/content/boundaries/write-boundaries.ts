import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { diskFailure, type TieoutError } from '../../../kernel/errors.ts';
import {
  type BoundaryArea,
  type BoundaryRecord,
  LAYOUT,
  PLUS4_COUNT,
  SCHEMA,
  SIDES,
} from './boundary-record.ts';

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
    throw fullDisk(cause, path) ?? cause;
  } finally {
    file.close();
  }
};

const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;

/** Describe SQLite's errors of the disk like those of the operating system. */
const fullDisk = (cause: unknown, path: string): TieoutError | undefined => {
  const { errcode = 0 } = cause as { readonly errcode?: number };
  const code = { [SQLITE_IOERR]: 'EIO', [SQLITE_FULL]: 'ENOSPC' }[errcode & 0xff];
  return diskFailure(code === undefined ? cause : Object.assign(new Error(code, { cause }), { code }), path);
};

const inserter = (file: DatabaseSync): ((record: BoundaryRecord) => void) => {
  const insertStreet = file.prepare('insert into streets values (?, ?)');
  const insertArea = file.prepare('insert into areas values (?, ?, ?, ?, ?, ?)');
  const insertHouses = file.prepare('insert or ignore into houses values (?, ?, ?, ?, ?, ?)');
  const insertCodes = file.prepare('insert or ignore into codes values (?, ?, ?)');
  const streets = new Map<string, number>();
  const areas = new Map<BoundaryArea, number>();
  const streetId = (name: string): number => {
    const known = streets.get(name);
    if (known !== undefined) return known;
    streets.set(name, streets.size + 1);
    insertStreet.run(streets.size, name);
    return streets.size;
  };
  const areaId = (area: BoundaryArea): number => {
    const known = areas.get(area);
    if (known !== undefined) return known;
    const { from, to, county, place, specials } = area;
    areas.set(area, areas.size + 1);
    insertArea.run(areas.size, from, to, county, place, specials);
    return areas.size;
  };
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
