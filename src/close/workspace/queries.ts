import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { WorkspaceTables } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** A table in which each row belongs to one entity. */
type Own = Exclude<keyof WorkspaceTables, 'calculation'>;

/** The columns of a row without the entity that it belongs to. */
export type Said<Table extends Own> = Omit<WorkspaceTables[Table], 'entity'>;

/** Selects rows of the entity. */
export const rowsIn = <Table extends Own>(
  { tables, entity }: Workspace,
  table: Table,
): SelectQueryBuilder<WorkspaceTables, Table, object> =>
  tables.selectFrom(table as 'sale').where(`${table as 'sale'}.entity`, '=', entity) as never;

/** Deletes rows of the entity. */
export const deleteIn = <Table extends Own>(
  { tables, entity }: Workspace,
  table: Table,
): DeleteQueryBuilder<WorkspaceTables, Table, DeleteResult> =>
  tables.deleteFrom(table as 'sale').where('entity', '=', entity) as never;

/** The condition that another table has, or lacks, a row with the same key. */
export const hasKeyIn = (
  row: 'sale' | 'carried_sale' | 'set_aside' | 'filed_sale',
  other: Own,
): RawBuilder<SqlBool> =>
  sql<SqlBool>`exists (select other.key from ${sql.table(other)} as other
    where other.entity = ${sql.ref(`${row}.entity`)} and other.key = ${sql.ref(`${row}.key`)})`;

/** Store rows of the entity, replacing those with the same primary key. */
export const put = <Table extends Own>(
  { upsert, entity }: Workspace,
  table: Table,
  rows: readonly Said<Table>[],
): Promise<void> => upsert(table, rows.map((row) => ({ entity, ...row })) as never);
