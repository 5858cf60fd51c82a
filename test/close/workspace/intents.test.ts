import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { keepPage } from '../../../src/close/workspace/stage-pages.ts';
import { openWorkspace } from '../../../src/close/workspace/workspace.ts';
import { sqliteDialect } from '../../../src/database/connect.ts';
import { sqliteDriver, syncFile } from '../../../src/database/sqlite-driver.ts';
import { sqliteFiles } from '../../support/databases.ts';

const { folder } = sqliteFiles();

test('what is found is kept without waiting for the disk, and what is about to be sent is on it', async () => {
  let trips = 0;
  let end = (): void => {};
  const driver = sqliteDriver({
    path: join(folder, 'intents.db'),
    busyWaitMs: 1_000,
    sync: async (descriptor) => {
      await syncFile(descriptor);
      trips += 1;
      await new Promise<void>((resolve) => {
        end = resolve;
        if (isOpening) resolve();
      });
    },
  });
  let isOpening = true;
  const tables = new Kysely<unknown>({ dialect: sqliteDialect(driver) });
  const derived = new Kysely<unknown>({ dialect: sqliteDialect(driver.unhurried) });
  const workspace = await openWorkspace(
    {
      engine: 'sqlite',
      place: 'intents.db',
      tables: <Tables>() => tables as Kysely<Tables>,
      tablesOfDerived: <Tables>() => derived as Kysely<Tables>,
      beforeClose: () => {},
      checkLock: () => {},
      close: () => tables.destroy(),
    },
    'acme',
  );
  isOpening = false;
  const before = trips;

  const page = { input: 'as it is', open: 0, rows: [{ key: 'shop/order/1' }] };
  await keepPage(workspace, 'reconciled', 'day', page);
  expect(trips).toBe(before);

  const intent = keepPage(workspace, 'submitted embedded', 'day', page, true).then(() => 'on the disk');
  expect(await Promise.race([intent, pause(50).then(() => 'waiting')])).toBe('waiting');
  expect(trips).toBe(before + 1);
  end();
  expect(await intent).toBe('on the disk');
  await workspace.database.close();
});
