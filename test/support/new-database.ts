import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** Run statements on a server of PostgreSQL, one after the other. */
export const runOnServer = async (serverUrl: string, ...texts: readonly string[]): Promise<void> => {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  for (const text of texts) await client.query(text);
  await client.end();
};

/** A new, empty database on a server of PostgreSQL, and its address. */
export const newDatabase = async (
  serverUrl: string,
): Promise<{
  readonly name: string;
  readonly url: string;
}> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runOnServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { name, url: url.toString() };
};

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
