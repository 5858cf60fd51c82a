import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The condition "comes after this row" in the order of several columns: `(a, b) > (1, 'x')`, which both engines
 * answer from an index on those columns. A lower bound of the first column beside it is left out from the second page
 * on: SQLite would begin each page at that bound, and walk over all that was read before.
 */
export const afterKey = (key: Key): RawBuilder<SqlBool> => sql<SqlBool>`${columnsOf(key)} > ${valuesOf(key)}`;

type Key = Readonly<Record<string, string | number>>;

const columnsOf = (key: Key) => sql`(${sql.join(Object.keys(key).map((name) => sql.ref(name)))})`;
const valuesOf = (key: Key) => sql`(${sql.join(Object.values(key))})`;
