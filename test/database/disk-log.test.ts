import { fstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sqliteDialect } from '../../src/database/connect.ts';
import { sqliteDriver, syncFile } from '../../src/database/sqlite-driver.ts';
import { sqliteFiles } from '../support/databases.ts';

type Tables = { readonly books: { readonly title: string } };
type Trip = { readonly descriptor: number } & ReturnType<typeof Promise.withResolvers<void>>;

const { folder } = sqliteFiles();
let files = 0;

/** A file on a disk that ends each trip to it when the test says so. */
const onSlowDisk = async () => {
  files += 1;
  const path = join(folder, `slow-${files}.db`);
  const trips: Trip[] = [];
  let isSlow = false;
  const sync = async (descriptor: number): Promise<void> => {
    await syncFile(descriptor);
    if (!isSlow) return;
    const trip = { descriptor, ...Promise.withResolvers<void>() };
    trips.push(trip);
    await trip.promise;
  };
  const opened = (options: { readonly sync?: typeof sync } = {}) => {
    const driver = sqliteDriver({ path, busyWaitMs: 1_000, ...options });
    const tables = new Kysely<Tables>({ dialect: sqliteDialect(driver) });
    onTestFinished(() => tables.destroy().catch(() => {}));
    return { tables };
  };
  const { tables } = opened({ sync });
  await tables.schema.createTable('books').addColumn('title', 'text').execute();
  isSlow = true;
  return {
    path,
    tables,
    trips,
    add: (title: string) => tables.insertInto('books').values({ title }).execute(),
    /** What another process finds in the file. */
    seen: async () =>
      (await opened().tables.selectFrom('books').select('title').execute()).map(({ title }) => title),
  };
};

/** Whether it is over once everything that can happen without the disk has happened. */
const isOver = async (work: Promise<unknown>): Promise<boolean> => {
  const over = work.then(
    () => true,
    () => true,
  );
  return Promise.race([over, pause(50).then(() => false)]);
};

describe('a change of a SQLite file', () => {
  test('is answered when the disk has the log, and not before', async () => {
    const { path, add, seen, trips } = await onSlowDisk();
    const added = add('Moby Dick');
    expect(await isOver(added)).toBe(false);
    expect(await seen()).toEqual(['Moby Dick']);
    expect(trips.map(({ descriptor }) => fstatSync(descriptor).ino)).toEqual([statSync(`${path}-wal`).ino]);
    trips[0]?.resolve();
    await added;
  });

  test('holds up no other one, and all that come during a trip to the disk share the next', async () => {
    const { add, seen, trips } = await onSlowDisk();
    const first = add('Moby Dick');
    await isOver(first);
    const others = Promise.all([add('Typee'), add('Omoo'), add('Mardi')]);
    expect(await isOver(others)).toBe(false);
    expect(await seen()).toHaveLength(4);
    trips[0]?.resolve();
    await first;
    expect([await isOver(others), trips.length]).toEqual([false, 2]);
    trips[1]?.resolve();
    await others;
  });

  test('is shown to no one here before the disk has it', async () => {
    const { tables, add, trips } = await onSlowDisk();
    void add('Moby Dick');
    const shown = tables.selectFrom('books').selectAll().execute();
    expect(await isOver(shown)).toBe(false);
    trips[0]?.resolve();
    expect(await shown).toEqual([{ title: 'Moby Dick' }]);
    expect(await tables.selectFrom('books').selectAll().execute()).toHaveLength(1);
    expect(trips).toHaveLength(1);
  });

  test('that the disk did not take is refused, and so is everything after it', async () => {
    const { tables, add, trips } = await onSlowDisk();
    const added = add('Moby Dick');
    await isOver(added.catch(() => {}));
    trips[0]?.reject(Object.assign(new Error('i/o error'), { code: 'EIO' }));
    const refused = { code: 'E_DATABASE_STORAGE', recovery: 'retry' };
    await expect(added).rejects.toMatchObject(refused);
    await expect(add('Typee')).rejects.toMatchObject(refused);
    await expect(tables.selectFrom('books').selectAll().execute()).rejects.toMatchObject(refused);
    expect(trips).toHaveLength(1);
  });
});
