import { DatabaseSync } from 'node:sqlite';
import type { MigrationSet } from './migrate.ts';
import { newerDatabase } from './migrate.ts';
import { failedCheck, foreignFile, sqliteError } from './sqlite-errors.ts';
import { column, isOurs, unreadable } from './sqlite-file.ts';

/** The content of a database file. */
export type FileSurvey = {
  /** The last step that has run, by the name of its migration set; sets that never ran are left out. */
  readonly schema: Readonly<Record<string, string>>;
  /** Numbers of rows, by table. */
  readonly rows: Readonly<Record<string, number>>;
};

/**
 * Read a whole database file that no one writes: SQLite's own check of every page and index, the schema, the numbers of
 * rows.
 *
 * @throws {TieoutError} E_DATABASE_DAMAGED, E_DATABASE_FOREIGN, E_DATABASE_NEWER
 */
export const surveySqliteFile = (path: string, sets: readonly MigrationSet[]): FileSurvey => {
  const place = { path, busyWaitMs: 0 };
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    if (!isOurs(file)) throw foreignFile(path);
    const [verdict] = column(file, 'pragma integrity_check(1)');
    if (verdict !== 'ok') throw failedCheck(path, String(verdict));
    const tables = tablesOf(file);
    return {
      schema: schemaOf(file, path, tables, sets),
      rows: Object.fromEntries(
        tables.map((table) => [table, Number(column(file, `select count(*) from "${table}"`)[0])]),
      ),
    };
  } catch (error) {
    throw sqliteError(error, place) ?? unreadable(error, path);
  } finally {
    file.close();
  }
};

const schemaOf = (
  file: DatabaseSync,
  path: string,
  tables: readonly string[],
  sets: readonly MigrationSet[],
): FileSurvey['schema'] => {
  const entries: [string, string][] = [];
  for (const { name, steps } of sets) {
    if (!tables.includes(`${name}_migration`)) continue;
    const done = column(file, `select name from "${name}_migration" order by name`).map(String);
    const unknown = done.find((step) => !steps.some((known) => known.name === step));
    if (unknown !== undefined) throw newerDatabase(path, unknown);
    entries.push([name, done.at(-1) ?? '']);
  }
  return Object.fromEntries(entries);
};

/** Rows of a table that a copy lacks. */
export type LackingRows = { readonly table: string; readonly count: number; readonly first: string };

/**
 * Find the rows of a file that its copy lacks or has with other values, table by table, with the key of the first.
 *
 * @throws {TieoutError} the errors of a database
 */
export const rowsLackingIn = (copy: string, path: string): readonly LackingRows[] => {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    file.prepare('attach database ? as copy').run(copy);
    const kept = new Set(column(file, `select name from copy.sqlite_schema where type = 'table'`));
    return tablesOf(file).flatMap((table) => {
      const columns = file.prepare('select name, pk from pragma_table_info(?)').all(table);
      const columnsKept = new Set(column(file, `select name from pragma_table_info('${table}', 'copy')`));
      // A copy of an older version lacks columns that were added since.
      const isSame = columns
        .map(({ name }) => `${columnsKept.has(name) ? `other."${name}"` : 'null'} is own."${name}"`)
        .join(' and ');
      const lacking = `from main."${table}" as own${
        kept.has(table) ? ` where not exists (select 1 from copy."${table}" as other where ${isSame})` : ''
      }`;
      const count = Number(column(file, `select count(*) ${lacking}`)[0]);
      if (count === 0) return [];
      const key = columns.flatMap(({ name, pk }) => (Number(pk) > 0 ? [`own."${name}"`] : []));
      const [first] = column(file, `select concat_ws(' ', ${key.join(', ')}) ${lacking} limit 1`);
      return [{ table, count, first: String(first) }];
    });
  } catch (error) {
    throw sqliteError(error, { path, busyWaitMs: 0 }) ?? error;
  } finally {
    file.close();
  }
};

const tablesOf = (file: DatabaseSync): readonly string[] =>
  column(
    file,
    `select name from main.sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`,
  ).map(String);
