import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { onPostgres } from '../support/databases.ts';

const AHEAD_MS = 200;

onPostgres(({ newUrl }) => {
  test('a step and a write that wait for one another: the write goes on, and the step is tried again', async () => {
    const url = await newUrl();
    const migrating = await connect(url);
    const serving = await connect(url);
    const tables = serving.tables<Record<string, { readonly n: number }>>();
    await sql`create table accounts (n integer primary key)`.execute(tables);
    await sql`insert into accounts values (1)`.execute(tables);
    await sql`create table orders (n integer references accounts)`.execute(tables);

    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const isWriterWaiting = async (): Promise<boolean> =>
      (await sql`select 1 from pg_locks where not granted`.execute(migrating.tables())).rows.length > 0;
    const writing = tables.transaction().execute(async (write) => {
      await sql`lock table orders in row exclusive mode`.execute(write);
      begun.resolve();
      await held.promise;
      await sql`insert into orders values (1)`.execute(write);
    });
    await begun.promise;
    let tries = 0;
    const migrated = migrate(migrating, {
      name: 'ledger',
      steps: [
        {
          name: '0001-notes',
          up: async ({ tables: raw }) => {
            tries += 1;
            await sql`alter table accounts add column note text`.execute(raw);
            held.resolve();
            // The server looks after the one first that has waited longer.
            while (tries === 1 && !(await isWriterWaiting())) await pause(10);
            await pause(AHEAD_MS);
            await sql`alter table orders add column note text`.execute(raw);
          },
        },
      ],
    });
    await writing;
    await migrated;
    expect(tries).toBe(2);
    expect(await tables.selectFrom('orders').selectAll().execute()).toEqual([{ n: 1, note: null }]);
    await Promise.all([migrating.close(), serving.close()]);
  });
});
