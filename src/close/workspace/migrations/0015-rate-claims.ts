import { sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

/**
 * Rates of the shop that are claimed of a sale, and a way to the few sales whose variance is open without reading all
 * others.
 */
export const rateClaims = async ({ tables }: Schema): Promise<void> => {
  await sql`alter table sale_calculation add column claims text not null default '[]'`.execute(tables);
  await sql`create index sale_calculation_open on sale_calculation (entity, key) where detail <> ''`.execute(
    tables,
  );
};
