import type { Schema } from '../../../database/schema.ts';

type ColumnType = 'text' | 'integer' | 'text?' | 'integer?';

/** A table as its columns with their types (`?` for those that may be null) and its primary key. */
export type Table = {
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
};

/** Make one table of the workspace. */
export const createTable = async (schema: Schema, name: string, { columns, key }: Table): Promise<void> => {
  let table = schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) {
    const sqlType = type.startsWith('text') ? schema.text : schema.integer;
    table = table.addColumn(column, sqlType as never, (definition) =>
      type.endsWith('?') ? definition : definition.notNull(),
    );
  }
  await table.addPrimaryKeyConstraint(`${name}_key`, key as never).execute();
};
