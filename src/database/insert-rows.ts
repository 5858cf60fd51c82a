import { CompiledQuery, type Insertable, type Kysely } from 'kysely';
import type { Engine } from './database.ts';

/** Rows sent in one statement. It bounds the memory of a batch; the engines have no limit that matters here. */
const ROWS_PER_STATEMENT = 5_000;

/** What happens to a row whose key is there already. */
export type WhenThere = 'keep' | 'replace' | 'refuse';

/**
 * Insert many rows in few statements: each carries its rows as one JSON parameter, so the text of the statement does
 * not depend on their number and neither engine's limit on parameters applies. With `replace` every column that is
 * not part of the key takes the new value. Rows of one call must not repeat a key when they replace.
 *
 * Call it inside a transaction when the rows must arrive together. Answers how many rows were inserted or replaced.
 */
export const insertRows = async <Tables, Table extends keyof Tables & string>(
  tables: Kysely<Tables>,
  options: {
    readonly engine: Engine;
    readonly into: Table;
    readonly rows: readonly Insertable<Tables[Table]>[];
    /** The columns filled, of the table as it is; a row without one of them gets null there. */
    readonly columns: readonly (keyof Tables[Table] & string)[];
    /** The unique columns that decide whether a row is there. */
    readonly key: readonly (keyof Tables[Table] & string)[];
    readonly whenThere: WhenThere;
  },
): Promise<number> => {
  const { engine, rows, columns } = options;
  const text = statementText(options);
  let affected = 0n;
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const batch = rows.slice(from, from + ROWS_PER_STATEMENT) as readonly Record<string, unknown>[];
    const carried =
      engine === 'sqlite' ? batch.map((row) => columns.map((name) => row[name] ?? null)) : batch;
    const result = await tables.executeQuery(CompiledQuery.raw(text, [JSON.stringify(carried)]));
    affected += result.numAffectedRows ?? 0n;
  }
  return Number(affected);
};

const statementText = (options: {
  readonly engine: Engine;
  readonly into: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly whenThere: WhenThere;
}): string => {
  const { engine, into, columns, key, whenThere } = options;
  const names = columns.map(quoted).join(', ');
  const insert = `insert into ${quoted(into)} (${names})`;
  const source =
    engine === 'sqlite'
      ? // `where true` tells SQLite's parser that ON belongs to the insert and not to a join.
        `select ${columns.map((_, index) => `value ->> ${index}`).join(', ')} from json_each(?) where true`
      : `select ${names} from json_populate_recordset(null::${quoted(into)}, $1::json)`;
  if (whenThere === 'refuse') return `${insert} ${source}`;
  const updates = columns.filter((name) => !key.includes(name));
  const action =
    whenThere === 'keep' || updates.length === 0
      ? 'nothing'
      : `update set ${updates.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')}`;
  return `${insert} ${source} on conflict (${key.map(quoted).join(', ')}) do ${action}`;
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
