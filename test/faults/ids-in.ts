import { Client } from 'pg';

/** The ids of all records that the books on a server hold, in order. */
export const idsIn = async (url: string): Promise<readonly string[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select transaction_id as id from transactions');
  await client.end();
  return rows.map(({ id }) => id).sort();
};
