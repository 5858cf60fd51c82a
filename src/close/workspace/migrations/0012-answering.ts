import { sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';
import { createTable } from './create-table.ts';

/** Which service answers for each entity. Where something was answered before, answers of others may lie about. */
export const answering = async (schema: Schema): Promise<void> => {
  await createTable(schema, 'answering', {
    columns: { entity: 'text', service: 'text', orphans: 'integer' },
    key: ['entity'],
  });
  await sql`
    insert into answering (entity, service, orphans)
    select distinct entity, '', 1 from sale_calculation`.execute(schema.tables);
};
