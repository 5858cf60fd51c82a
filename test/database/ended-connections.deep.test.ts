import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { connect, type Database } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { takeRunLock } from '../../src/database/run-lock.ts';
import { onPostgres } from '../support/databases.ts';
import { endConnections } from '../support/new-database.ts';
import { LIBRARY } from './behaviour.ts';

const opened = async (url: string): Promise<Database> => {
  const database = await connect(url);
  onTestFinished(database.close);
  return database;
};
const ask = (database: Pick<Database, 'tables'>) => sql`select 1`.execute(database.tables<unknown>());

const ENDED = {
  code: 'E_DATABASE_UNREACHABLE',
  recovery: 'retry',
  message: expect.stringMatching(/has ended the connection.*: terminating connection due to administrator/),
};

onPostgres(({ newUrl }) => {
  it('a connection that is ended while no one uses it is replaced', async () => {
    const url = await newUrl();
    const database = await opened(url);
    expect(await endConnections(url)).toBe(1);
    expect((await ask(database)).rows).toHaveLength(1);
  });

  it('one that is ended between two statements of a transaction takes the first back, and says who ended it', async () => {
    const url = await newUrl();
    const database = await opened(url);
    await migrate(database, LIBRARY);
    const tables = database.tables<{ shelves: { id: number; name: string } }>();
    const work = tables.transaction().execute(async (transaction) => {
      await transaction.insertInto('shelves').values({ id: 1, name: 'atlases' }).execute();
      await endConnections(url);
      await transaction.insertInto('shelves').values({ id: 2, name: 'novels' }).execute();
    });
    await expect(work).rejects.toMatchObject(ENDED);
    expect(await tables.selectFrom('shelves').selectAll().execute()).toEqual([]);
  });

  it('one that holds the run lock takes the right to work with it: another run may have begun', async () => {
    const url = await newUrl();
    const database = await opened(url);
    const lock = await takeRunLock(database, 'a run');
    database.checkLock();
    await endConnections(url);
    await expect(ask(database)).rejects.toMatchObject({
      ...ENDED,
      message: expect.stringContaining('has ended the connection that kept other runs away: terminating'),
    });
    expect(database.checkLock).toThrow('kept other runs away');
    const next = await takeRunLock(await opened(url), 'another run');
    await lock.release();
    await expect(takeRunLock(await opened(url), 'a third run')).rejects.toMatchObject({
      code: 'E_RUN_LOCKED',
    });
    await next.release();
  });

  it('a server that only follows takes no changes, which is an outage', async () => {
    const url = await newUrl();
    const database = await opened(`${url}?options=-c%20default_transaction_read_only=on`);
    await expect(migrate(database, LIBRARY)).rejects.toMatchObject({
      code: 'E_DATABASE_STORAGE',
      recovery: 'retry',
      message: expect.stringMatching(/takes no changes: cannot execute .* in a read-only transaction\.$/),
    });
  });
});
