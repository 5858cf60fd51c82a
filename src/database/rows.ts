import { CompiledQuery, type Kysely, sql } from 'kysely';
import { compareText } from '../kernel/text.ts';
import type { Database } from './connect.ts';

/** Rows per statement on PostgreSQL. This bounds the memory of a batch; the engine's own limits are much higher. */
const ROWS_PER_STATEMENT = 5_000;

/**
 * Rows per statement on SQLite: as many statements of the first size as fit, then of the next, so that three texts are
 * enough for any number of rows. SQLite binds up to 32,766 values.
 */
const ROWS_BOUND = [100, 10, 1];

type Row = Readonly<Record<string, unknown>>;

/** Rows of one table, all with the same columns, and the unique columns that tell whether a row already exists. */
type Insertion = {
  readonly into: string;
  readonly rows: readonly Row[];
  readonly key: readonly string[];
};

type Statement = { readonly text: string; readonly values: readonly unknown[] };

/**
 * Insert those rows whose key does not exist yet, in few statements, together or not at all. Returns the keys of the
 * inserted rows.
 */
export const insertNewRows = async <Key extends object>(
  { engine, tables }: Database,
  insertion: Insertion,
): Promise<readonly Key[]> => {
  const statements = engine === 'postgres' ? jsonStatements(insertion) : boundStatements(insertion);
  const run = async (within: Kysely<unknown>) => {
    const keys: Key[] = [];
    for (const { text, values } of statements) {
      const { rows } = await within.executeQuery<Key>(CompiledQuery.raw(text, [...values]));
      for (const key of rows) keys.push(key);
    }
    return keys;
  };
  // One statement is its own transaction, without the two round trips that begin and end one.
  return statements.length === 1 ? run(tables()) : tables<unknown>().transaction().execute(run);
};

/** Of all ways to send rows to PostgreSQL, one JSON parameter takes the least time in both processes. */
const jsonStatements = (insertion: Insertion): readonly Statement[] => {
  const { into, rows, key } = insertion;
  // Two processes that write some of the same rows wait for each other; in different orders they would deadlock.
  const keyed = rows.map((row) => ({ row, text: key.map((name) => row[name]).join('\n') }));
  const sorted = keyed.sort((left, right) => compareText(left.text, right.text)).map(({ row }) => row);
  const source = `select ${namesOf(insertion)} from json_populate_recordset(null::${quoted(into)}, $1::json)`;
  const text = textOf(insertion, source);
  return Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, index) => {
    const from = index * ROWS_PER_STATEMENT;
    return { text, values: [JSON.stringify(sorted.slice(from, from + ROWS_PER_STATEMENT))] };
  });
};

/** In SQLite, bound values take a third of the time of reading them from JSON. */
const boundStatements = (insertion: Insertion): readonly Statement[] => {
  const { rows } = insertion;
  const columns = Object.keys(rows[0] ?? {});
  const places = `(${columns.map(() => '?').join(', ')})`;
  const statements: Statement[] = [];
  let from = 0;
  for (const size of ROWS_BOUND) {
    const text = textOf(insertion, `values ${Array(size).fill(places).join(', ')}`);
    for (; rows.length - from >= size; from += size) {
      const bound = rows.slice(from, from + size);
      statements.push({ text, values: bound.flatMap((row) => columns.map((name) => row[name] ?? null)) });
    }
  }
  return statements;
};

const textOf = (insertion: Insertion, source: string): string => {
  const { into, key } = insertion;
  const keys = key.map(quoted).join(', ');
  return `insert into ${quoted(into)} (${namesOf(insertion)}) ${source} on conflict (${keys}) do nothing returning ${keys}`;
};

const namesOf = ({ rows }: Insertion): string =>
  Object.keys(rows[0] ?? {})
    .map(quoted)
    .join(', ');

const quoted = (name: string): string => `"${name}"`;

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
