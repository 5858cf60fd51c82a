import type { Schema } from '../../../database/schema.ts';

const ADDED: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['source_file', ['controls', 'notices']],
  ['sale', ['outcome', 'controls']],
  ['set_aside', ['key', 'controls']],
];

/**
 * What each file and each record comes to, column by column. What was read before does not say it, so every channel
 * is read once more.
 */
export const controlTotals = async (schema: Schema): Promise<void> => {
  for (const [table, columns] of ADDED) {
    for (const column of columns) {
      await schema.tables.schema
        .alterTable(table)
        .addColumn(column, schema.text as never, (definition) => definition.notNull().defaultTo(''))
        .execute();
    }
  }
  await schema
    .createIndex('set_aside_by_key')
    .on('set_aside')
    .columns(['entity', 'channel', 'key'])
    .execute();
  for (const table of ['set_aside', 'source_file', 'source_load'])
    await schema.tables.deleteFrom(table as never).execute();
};
