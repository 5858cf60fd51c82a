import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The condition "comes after this row" in the order of several columns: `(a, b) > (1, 'x')`, which both engines
 * answer from an index on those columns. A lower bound of the first column beside it is left out from the second page
 * on: SQLite would begin each page at that bound, and walk over all that was read before.
 */
export const afterKey = (key: Readonly<Record<string, string | number>>): RawBuilder<SqlBool> => {
  const columns = sql.join(Object.keys(key).map((name) => sql.ref(name)));
  const values = sql.join(Object.values(key));
  return sql<SqlBool>`(${columns}) > (${values})`;
};
