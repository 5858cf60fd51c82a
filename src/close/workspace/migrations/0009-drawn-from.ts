import type { Schema } from '../../../database/schema.ts';

/** What the files of a period were drawn from. What was published before does not say it, so it is drawn once more. */
export const drawnFrom = async (schema: Schema): Promise<void> => {
  await schema.tables.schema
    .alterTable('closing')
    .addColumn('drawn_from', schema.text as never, (definition) => definition.notNull().defaultTo(''))
    .execute();
};
