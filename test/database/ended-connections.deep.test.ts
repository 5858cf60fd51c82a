import { expect, it, onTestFinished } from 'vitest';
import { connect, type Database } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { onPostgres } from '../support/databases.ts';
import { LIBRARY } from './behaviour.ts';

const opened = async (url: string): Promise<Database> => {
  const database = await connect(url);
  onTestFinished(database.close);
  return database;
};

onPostgres(({ newUrl }) => {
  it('a server that only follows takes no changes, which is an outage', async () => {
    const url = await newUrl();
    const database = await opened(`${url}?options=-c%20default_transaction_read_only=on`);
    await expect(migrate(database, LIBRARY)).rejects.toMatchObject({
      code: 'E_DATABASE_STORAGE',
      recovery: 'retry',
      message: expect.stringMatching(
        /could not be read or written: cannot execute .* in a read-only transaction\.$/,
      ),
    });
  });
});
