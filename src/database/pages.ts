import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, type SelectQueryBuilder, type Simplify, type SqlBool, sql } from 'kysely';

/**
 * Read the rows of a query, of any number, in pages of bounded size, in the order of columns that no two rows share: each page
 * begins behind the last row of the one before. Nothing is held between two pages, so writes to the same tables are possible
 * while somebody reads; a row that appears behind the last one read is seen, one before is not. SQLite answers without
 * waiting for anything: the process gets a turn between pages to hear of signals and time.
 *
 * @param from the least value of the first column; asked for on the first page only, because SQLite would begin each
 *   page at that bound, and walk over all that was read before
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

/** A column of a row, with its table where several have one of its name. */
type ColumnOf<Row> = (keyof Row & string) | `${string}.${keyof Row & string}`;

const cellOf = (row: object, column: string): string | number =>
  row[column.slice(column.lastIndexOf('.') + 1) as keyof object];

/**
 * The condition "comes after this row" in the order of several columns: `(a, b) > (1, 'x')`, which both engines
 * answer from an index on those columns. A lower bound of the first column beside it is left out from the second page
 * on: SQLite would begin each page at that bound, and walk over all that was read before.
 */
const afterKey = (key: Key): RawBuilder<SqlBool> => sql<SqlBool>`${columnsOf(key)} > ${valuesOf(key)}`;

type Key = Readonly<Record<string, string | number>>;

const columnsOf = (key: Key) => sql`(${sql.join(Object.keys(key).map((name) => sql.ref(name)))})`;

const valuesOf = (key: Key) => sql`(${sql.join(Object.values(key))})`;
