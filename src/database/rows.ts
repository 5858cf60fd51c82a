import { CompiledQuery, type Insertable, type Kysely, sql } from 'kysely';
import { compareText } from '../kernel/text.ts';
import type { Database, Engine } from './connect.ts';
import { PREPARED } from './postgres.ts';

/** Rows per statement on PostgreSQL. This bounds the memory of a batch; the engine's own limits are much higher. */
const ROWS_PER_STATEMENT = 5_000;

/**
 * Rows per statement on SQLite: as many statements of the first size as fit, then of the next, so that three texts are
 * enough for any number of rows. SQLite binds up to 32,766 values.
 */
const ROWS_BOUND = [100, 10, 1];

/** Rows, and the table to insert them into. */
export type Insertion<Tables, Table extends keyof Tables> = {
  readonly engine: Engine;
  readonly into: Table;
  readonly rows: readonly Insertable<Tables[Table]>[];
  /** The columns to fill, named as in the table; a row without one of them gets null there. */
  readonly columns: readonly (keyof Tables[Table] & string)[];
  /** The unique columns that determine whether a row already exists. */
  readonly key: readonly (keyof Tables[Table] & string)[];
};

type Options = {
  readonly engine: Engine;
  readonly into: string;
  readonly rows: readonly object[];
  readonly columns: readonly string[];
  readonly key: readonly string[];
};

/**
 * Insert those rows whose key does not exist yet, in few statements. On PostgreSQL each statement has its rows as one
 * JSON parameter: its text does not depend on their number, no limit on parameters applies, and of all ways it takes
 * the least time in both processes. On SQLite the values are bound, which is three times as fast there as reading them
 * from JSON.
 *
 * The rows of one call are inserted together or not at all. Returns the keys of the inserted rows.
 */
export const insertNewRows = async <Tables, Table extends keyof Tables & string, Key extends object>(
  tables: Kysely<Tables>,
  insertion: Insertion<Tables, Table>,
): Promise<readonly Key[]> => {
  const options = insertion as unknown as Options;
  const run = async (within: Kysely<unknown>) => {
    const keys: Key[] = [];
    for (const { text, values } of statementsOf(options)) {
      const statement = CompiledQuery.raw(text, [...values]) as CompiledQuery<Key>;
      for (const key of (await within.executeQuery<Key>(statement)).rows) keys.push(key);
    }
    return keys;
  };
  const any = tables as Kysely<unknown>;
  return isOneStatement(options) ? run(any) : any.transaction().execute(run);
};

/** Whether one statement is enough: it is its own transaction, without the two round trips that begin and end one. */
const isOneStatement = ({ engine, rows }: Options): boolean =>
  rows.length <= (engine === 'postgres' ? ROWS_PER_STATEMENT : 1);

type Statement = { readonly text: string; readonly values: readonly unknown[] };

function* statementsOf(options: Options): Generator<Statement> {
  const { engine, rows, columns } = options;
  if (engine === 'postgres') {
    const names = columns.map(quoted).join(', ');
    const source = `select ${names} from json_populate_recordset(null::${quoted(options.into)}, $1::json)`;
    const text = `${PREPARED}${statementText(options, source)}`;
    const ordered = inKeyOrder(options);
    for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
      yield { text, values: [JSON.stringify(ordered.slice(from, from + ROWS_PER_STATEMENT))] };
    return;
  }
  let left = rows as readonly Readonly<Record<string, unknown>>[];
  for (const size of ROWS_BOUND) {
    const whole = left.length - (left.length % size);
    yield* boundStatements(options, left.slice(0, whole), size);
    left = left.slice(whole);
  }
}

/**
 * Sort rows by key: two processes that write some of the same rows wait for each other, and in different orders they
 * would deadlock.
 */
const inKeyOrder = ({ rows, key }: Options): readonly object[] => {
  const bound = rows as readonly Readonly<Record<string, unknown>>[];
  const keyed = bound.map((row) => ({ row, text: key.map((name) => row[name]).join('\n') }));
  return keyed.sort((left, right) => compareText(left.text, right.text)).map(({ row }) => row);
};

function* boundStatements(
  options: Options,
  rows: readonly Readonly<Record<string, unknown>>[],
  size: number,
): Generator<Statement> {
  const { columns } = options;
  const places = `(${columns.map(() => '?').join(', ')})`;
  const text = statementText(options, `values ${Array(size).fill(places).join(', ')}`);
  for (let from = 0; from < rows.length; from += size) {
    const values: unknown[] = [];
    for (const row of rows.slice(from, from + size))
      for (const column of columns) values.push(row[column] ?? null);
    yield { text, values };
  }
}

const statementText = ({ into, columns, key }: Options, source: string): string => {
  const keys = key.map(quoted).join(', ');
  const names = columns.map(quoted).join(', ');
  return `insert into ${quoted(into)} (${names}) ${source} on conflict (${keys}) do nothing returning ${keys}`;
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const FIRST_AFTER = 1_000;
const GROWTH = 10;

/**
 * Returns a counter of the rows written to a table, which gathers its statistics on PostgreSQL whenever it has grown
 * tenfold. The server gathers them by itself only a minute or two after the first load. Until then it looks up a single
 * record with the index of a listing and reads the whole month, thirty times slower. Other engines do not need this.
 */
export const freshStatistics = ({ engine, tables, beforeClose }: Database, table: string) => {
  let writes = 0;
  let due = FIRST_AFTER;
  let gathering: Promise<unknown> | undefined;
  beforeClose(async () => {
    await gathering;
  });
  return (rows: number): void => {
    writes += rows;
    if (engine !== 'postgres' || writes < due) return;
    due = writes * GROWTH;
    // Without statistics queries are only slower, and the next attempt may succeed.
    gathering = sql`analyze ${sql.table(table)}`.execute(tables()).catch(() => {});
  };
};
