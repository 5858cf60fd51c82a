import { DatabaseSync } from 'node:sqlite';
import type { MigrationSet } from './migrate.ts';
import { newerDatabase } from './migrate.ts';
import { damagedFile, foreignFile, sqliteError } from './sqlite-errors.ts';
import { isOurs } from './sqlite-file.ts';

/** What a database file holds. */
export type FileSurvey = {
  /** By the name of a migration set, the last of its steps that has run; sets that never ran are left out. */
  readonly schema: Readonly<Record<string, string>>;
  /** Rows by the name of a table. */
  readonly rows: Readonly<Record<string, number>>;
};

/**
 * Read all of a database file that nobody writes: SQLite's own check of every page and index, the schema, the rows.
 *
 * @throws {TieoutError} E_DATABASE_DAMAGED, E_DATABASE_FOREIGN, E_DATABASE_NEWER
 */
export const surveySqliteFile = (path: string, sets: readonly MigrationSet[]): FileSurvey => {
  const place = { path, busyWaitMs: 0 };
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    if (!isOurs(file)) throw foreignFile(path);
    const [verdict] = column(file, 'pragma integrity_check(1)');
    if (verdict !== 'ok') throw damagedFile(place, String(verdict));
    const tables = column(
      file,
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name`,
    ).map(String);
    return {
      schema: schemaOf(file, path, tables, sets),
      rows: Object.fromEntries(
        tables.map((table) => [table, Number(column(file, `select count(*) from "${table}"`)[0])]),
      ),
    };
  } catch (error) {
    throw sqliteError(error, place) ?? error;
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

const column = (file: DatabaseSync, query: string): readonly unknown[] =>
  file
    .prepare(query)
    .all()
    .map((row) => Object.values(row)[0]);
