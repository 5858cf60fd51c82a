import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { designedError, type TieoutError } from '../kernel/errors.ts';
import { connect } from './connect.ts';
import type { Database } from './database.ts';
import { damagedFile, failedCheck, sqliteError } from './sqlite-errors.ts';
import { column, unreadable } from './sqlite-file.ts';

/**
 * Open the database at an address, work with it, and close it in any case. If the work ends with an unexpected error,
 * it may have read damaged data: then the damage is the error, and not a defect.
 *
 * @throws {TieoutError} E_DATABASE_DAMAGED, and those of `connect`
 */
export const withDatabase = async <Result>(
  url: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const database = await connect(url);
  try {
    return await work(database);
  } catch (error) {
    const isDesigned = (designedError(error)?.recovery ?? 'defect') !== 'defect';
    throw (isDesigned ? undefined : damageOf(database)) ?? error;
  } finally {
    await database.close();
  }
};

/**
 * Find the damage of a database whose work ended with an unexpected error: pages that SQLite finds damaged, or rows
 * whose JSON is invalid. `undefined` if the file is sound, so that the error is a defect, and for a database on a
 * server, which checks its pages itself.
 *
 * @param check SQLite's own check: the quick one does not compare indexes with their tables
 */
export const damageOf = (
  { engine, place }: Pick<Database, 'engine' | 'place'>,
  check: 'integrity_check' | 'quick_check' = 'integrity_check',
): TieoutError | undefined => {
  if (engine !== 'sqlite' || !existsSync(place)) return undefined;
  const at = { path: place, busyWaitMs: 0 };
  try {
    const file = new DatabaseSync(place, { readOnly: true });
    try {
      const verdict = String(column(file, `pragma ${check}(1)`)[0]);
      if (verdict !== 'ok') return failedCheck(place, verdict);
      const problem = unreadableRows(file);
      return problem === undefined ? undefined : damagedFile(at, problem);
    } finally {
      file.close();
    }
  } catch (error) {
    return sqliteError(unreadable(error, place), at);
  }
};

/**
 * Find rows with invalid JSON. A value that begins like JSON must be JSON; if more values of a column begin like JSON
 * than are invalid, all of them must be.
 */
const unreadableRows = (file: DatabaseSync): string | undefined => {
  const tables = column(file, `select name from sqlite_schema where type = 'table' order by name`).map(
    String,
  );
  for (const table of tables) {
    const columns = column(file, `select name from pragma_table_info('${table}') where type like 'text'`);
    for (const name of columns.map(String)) {
      const { begun, broken, both } = file.prepare(jsonValues(table, name)).get() as Counts;
      const count = Number(begun) > Number(broken) ? Number(broken) : Number(both);
      if (count > 0) return `${count} rows of the table ${table} cannot be read: ${name} is not JSON`;
    }
  }
  return undefined;
};

type Counts = Readonly<Record<'begun' | 'broken' | 'both', number | null>>;

const jsonValues = (table: string, name: string): string => `
  select sum(begun) as begun, sum(broken) as broken, sum(begun and broken) as both
  from (
    select
      "${name}" like '{"%' or "${name}" like '[{%' or "${name}" like '["%' as begun,
      not json_valid("${name}") as broken
    from "${table}"
    where "${name}" <> ''
  )`;
