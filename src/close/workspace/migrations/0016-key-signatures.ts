import { sql } from 'kysely';
import type { Schema } from '../../../database/schema.ts';

/** What a key has signed, beside the name. Earlier signatures are names only. */
export const keySignatures = async ({ tables }: Schema): Promise<void> => {
  await sql`alter table approval add column signature text not null default ''`.execute(tables);
};
