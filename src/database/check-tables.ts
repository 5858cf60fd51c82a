import { sql } from 'kysely';
import { TieoutError } from '../kernel/errors.ts';
import type { Database } from './database.ts';

/** The columns of tables, separated by blanks. */
export type Columns = Readonly<Record<string, string>>;

/**
 * Check that the tables of a database match this build. The names of migration steps identify the version but not the
 * build: a step may have made something else in another build of the same version.
 *
 * @throws {TieoutError} E_DATABASE_BUILD
 */
export const checkTables = async (database: Database, expected: Columns): Promise<void> => {
  const found = await columnsIn(database, Object.keys(expected));
  for (const [table, columns] of Object.entries(expected)) {
    const names = columns.split(' ');
    const present = found.get(table) ?? new Set();
    const lacking = names.filter((name) => !present.has(name));
    const other = [...present].filter((name) => !names.includes(name));
    if (lacking.length + other.length === 0) continue;
    const problems = [
      ...(lacking.length > 0 ? [`lacks ${lacking.join(', ')}`] : []),
      ...(other.length > 0 ? [`has ${other.join(', ')} besides`] : []),
    ];
    throw otherBuild(
      database.place,
      present.size === 0 ? `it has no table ${table}` : `its table ${table} ${problems.join(' and ')}`,
    );
  }
};

const columnsIn = async (
  { engine, tables }: Database,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const wanted = JSON.stringify(names);
  const query =
    engine === 'sqlite'
      ? sql<Column>`select t.value as of_table, c.name from json_each(${wanted}) t, pragma_table_info(t.value) c`
      : sql<Column>`select t.value as of_table, c.attname as name
          from json_array_elements_text(${wanted}::json) t
          join pg_attribute c on c.attrelid = to_regclass(t.value)
          where c.attnum > 0 and not c.attisdropped`;
  const { rows } = await query.execute(tables<unknown>());
  const byTable = Map.groupBy(rows, (row) => row.of_table);
  return new Map([...byTable].map(([table, columns]) => [table, new Set(columns.map(({ name }) => name))]));
};

type Column = { readonly of_table: string; readonly name: string };

const otherBuild = (place: string, problem: string): TieoutError =>
  new TieoutError({
    code: 'E_DATABASE_BUILD',
    message: `${place} was made by another build of this version of Tieout: ${problem}.`,
    nextStep:
      'Run the build that made it, or put back a backup that this one made. docs/cron.md says what to do where there is none.',
  });
