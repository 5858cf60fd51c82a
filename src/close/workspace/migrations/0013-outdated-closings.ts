import type { Schema } from '../../../database/schema.ts';

/** What the exports stated of a period that was closed, and which ones it was last compared with. */
export const outdatedClosings = async (schema: Schema): Promise<void> => {
  const added = [
    ['stated', schema.text, ''],
    ['compared_with', schema.text, ''],
    ['outdated', schema.integer, 0],
  ] as const;
  for (const [name, type, value] of added)
    await schema.tables.schema
      .alterTable('closing')
      .addColumn(name, type as never, (definition) => definition.notNull().defaultTo(value))
      .execute();
};
