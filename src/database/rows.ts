import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  CompiledQuery,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type Simplify,
  type SqlBool,
  sql,
} from 'kysely';
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

/**
 * Read the rows of a query, of any number, in pages of bounded size, in the order of columns whose values are unique
 * together: each page begins after the last row of the previous one. Nothing is locked between pages, so the same
 * tables can be written while they are read; a row inserted after the last one read is seen, one before it is not.
 * SQLite answers synchronously, so between pages the process gets a turn for signals and timers.
 *
 * @param from the least value of the first column; a condition of the first page only, because SQLite would begin each
 * page at that bound and walk over all rows read before
 */
export async function* pagesBy<Tables, Names extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Names, Row>,
  columns: readonly ColumnOf<Row>[],
  rowsPerPage: number,
  from?: string | number,
): AsyncGenerator<readonly Simplify<Row>[], void, undefined> {
  const ordered = columns
    .reduce((partial, column) => partial.orderBy(sql.ref(column)), query)
    .limit(rowsPerPage);
  let next =
    from === undefined ? ordered : ordered.where(sql<boolean>`${sql.ref(columns[0] ?? '')} >= ${from}`);
  for (;;) {
    const page = await next.execute();
    if (page.length > 0) yield page;
    await nextTurn();
    const last = page.at(-1);
    if (!last || page.length < rowsPerPage) return;
    next = ordered.where(
      afterKey(Object.fromEntries(columns.map((column) => [column, cellOf(last, column)]))),
    );
  }
}

/** A column of a row, prefixed with its table when several tables have a column of that name. */
type ColumnOf<Row> = (keyof Row & string) | `${string}.${keyof Row & string}`;

const cellOf = (row: object, column: string): string | number =>
  row[column.slice(column.lastIndexOf('.') + 1) as keyof object];

/**
 * Return the condition "comes after this row" in the order of several columns: `(a, b) > (1, 'x')`, which both engines
 * answer from an index on those columns.
 */
const afterKey = (key: Key): RawBuilder<SqlBool> => sql<SqlBool>`${columnsOf(key)} > ${valuesOf(key)}`;

type Key = Readonly<Record<string, string | number>>;

const columnsOf = (key: Key) => sql`(${sql.join(Object.keys(key).map((name) => sql.ref(name)))})`;

const valuesOf = (key: Key) => sql`(${sql.join(Object.values(key))})`;

const FIRST_AFTER = 1_000;
const GROWTH = 10;

/** A counter of the rows written to a table. */
export type FreshStatistics = { readonly countWrites: (rows: number) => void };

/**
 * Gather statistics on PostgreSQL whenever a table has grown tenfold. The server chooses indexes by statistics that it
 * gathers by itself only a minute or two after the first load. Until then it looks up a single record with the index of
 * a listing and reads the whole month, thirty times slower. Other engines do not need this.
 */
export const freshStatistics = (database: Database, table: string): FreshStatistics => {
  if (database.engine !== 'postgres') return { countWrites: () => {} };
  let writes = 0;
  let due = FIRST_AFTER;
  let gathering: Promise<unknown> = Promise.resolve();
  database.beforeClose(async () => {
    await gathering;
  });
  return {
    countWrites: (rows) => {
      writes += rows;
      if (writes < due) return;
      while (due <= writes) due *= GROWTH;
      // Without statistics queries are only slower, and the next attempt may succeed.
      gathering = sql`analyze ${sql.table(table)}`.execute(database.tables()).catch(() => {});
    },
  };
};
