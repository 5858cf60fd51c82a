import type { CompiledQuery } from 'kysely';

/**
 * A statement with other values, in the order in which it names them. Building a statement takes the query builder
 * longer than SQLite takes to run it, so what is run for every record is built once.
 */
export const withValues = <Row>(
  statement: CompiledQuery<Row>,
  values: readonly unknown[],
): CompiledQuery<Row> => ({
  ...statement,
  parameters: values,
});
