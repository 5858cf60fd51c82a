import type { Schema } from '../../../database/schema.ts';

/** Which exports a closing was last compared with. What was closed before is compared once more. */
export const outdatedClosings = async (schema: Schema): Promise<void> => {
  const added = [
    ['compared_with', schema.text, ''],
    ['outdated', schema.integer, 0],
  ] as const;
  for (const [name, type, value] of added)
    await schema.tables.schema
      .alterTable('closing')
      .addColumn(name, type as never, (definition) => definition.notNull().defaultTo(value))
      .execute();
};
