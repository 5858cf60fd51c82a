import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';

/** Somebody else, who locks a table of a database and says when a close waits for it. */
export const locker = async (url: string, table: string) => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const release = (): Promise<void> => client.end();
  onTestFinished(release);
  return {
    lock: () => client.query(`begin; lock table ${table} in access exclusive mode`),
    waitedFor: async (): Promise<void> => {
      for (;;) {
        const { rowCount } = await client.query(
          'select 1 from pg_locks where not granted and relation = $1::regclass',
          [table],
        );
        if (rowCount !== 0) return;
        await setTimeout(10);
      }
    },
    release,
  };
};
