import { Client } from 'pg';

/** End all connections of Tieout to a database of a server, as its administrator may; answers how many there were. */
export const endConnections = async (url: string): Promise<number> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
     where datname = current_database() and application_name like 'tieout%'`,
  );
  await client.end();
  return rowCount ?? 0;
};
