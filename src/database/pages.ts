import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, type SelectQueryBuilder, type Simplify, type SqlBool, sql } from 'kysely';

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
