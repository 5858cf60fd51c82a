import { CompiledQuery, type Insertable, type Kysely, type QueryResult } from 'kysely';
import { compareText } from '../kernel/text.ts';
import type { Engine } from './database.ts';
import { PREPARED } from './with-readable-errors.ts';

/** Rows per statement on PostgreSQL. This bounds the memory of a batch; the engine's own limits are much higher. */
const ROWS_PER_STATEMENT = 5_000;

/**
 * Rows per statement on SQLite: as many statements of the first size as fit, then of the next, so that three texts are
 * enough for any number of rows. SQLite binds up to 32,766 values.
 */
const ROWS_BOUND = [100, 10, 1];

/** The action for a row whose key already exists. */
export type WhenThere = 'keep' | 'replace' | 'refuse';

type Options = {
  readonly engine: Engine;
  readonly into: string;
  readonly rows: readonly object[];
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly whenThere: WhenThere;
  /** Whether each statement returns the keys of the rows that it inserted. */
  readonly answersKeys?: boolean;
};

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

/**
 * Insert many rows in few statements. On PostgreSQL each statement has its rows as one JSON parameter: its text does
 * not depend on their number, no limit on parameters applies, and of all ways it takes the least time in both processes
 * (docs/benchmarks.md). On SQLite the values are bound, which is three times as fast there as reading them from JSON.
 * With `replace`, every column outside the key takes the new value; the rows of one call must not repeat a key then.
 *
 * The rows of one call are inserted together or not at all. Returns how many rows were inserted or replaced.
 */
export const insertRows = async <Tables, Table extends keyof Tables & string>(
  tables: Kysely<Tables>,
  insertion: Insertion<Tables, Table> & { readonly whenThere: WhenThere },
): Promise<number> => {
  const results = await executeAll<object>(tables as Kysely<unknown>, insertion as unknown as Options);
  return Number(results.reduce((total, { numAffectedRows }) => total + (numAffectedRows ?? 0n), 0n));
};

/** Insert those rows whose key does not exist yet, in the same way. Returns the keys of the inserted rows. */
export const insertNewRows = async <Tables, Table extends keyof Tables & string, Key extends object>(
  tables: Kysely<Tables>,
  insertion: Insertion<Tables, Table>,
): Promise<readonly Key[]> => {
  const options = { ...insertion, whenThere: 'keep', answersKeys: true };
  const results = await executeAll<Key>(tables as Kysely<unknown>, options as unknown as Options);
  return results.flatMap(({ rows }) => rows);
};

const executeAll = <Row>(tables: Kysely<unknown>, options: Options): Promise<readonly QueryResult<Row>[]> => {
  const run = async (within: Kysely<unknown>) => {
    const results: QueryResult<Row>[] = [];
    for (const { text, values } of statementsOf(options))
      results.push(
        await within.executeQuery<Row>(CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>),
      );
    return results;
  };
  return tables.isTransaction || isOneStatement(options) ? run(tables) : tables.transaction().execute(run);
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

const statementText = (options: Options, source: string): string => {
  const { into, columns, key, whenThere, answersKeys } = options;
  const names = columns.map(quoted).join(', ');
  const insert = `insert into ${quoted(into)} (${names}) ${source}`;
  if (whenThere === 'refuse') return insert;
  const updates = columns.filter((name) => !key.includes(name));
  const action =
    whenThere === 'keep' || updates.length === 0
      ? 'nothing'
      : `update set ${updates.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')}`;
  const keys = key.map(quoted).join(', ');
  return `${insert} on conflict (${keys}) do ${action}${answersKeys ? ` returning ${keys}` : ''}`;
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
