import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { takeRunLock } from '../../src/database/run-lock.ts';
import { sqliteFiles } from '../support/databases.ts';
import { LIBRARY } from './behaviour.ts';

const { folder } = sqliteFiles();

describe('the address of a database', () => {
  it.each([
    ['', 'an empty address'],
    ['sqlite:', 'no path'],
    ['ledger.db', 'a bare path'],
    ['mysql://root@localhost/tax', 'an engine we do not speak'],
  ])('%j is refused: %s', async (url) => {
    await expect(connect(url)).rejects.toMatchObject({ code: 'E_DATABASE_ADDRESS', recovery: 'fix-config' });
  });

  it('is told without its password', async () => {
    const port = await closedPort();
    const url = `postgres://tieout:hunter2@127.0.0.1:${port}/ledger`;
    const error = await connect(url).catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: 'E_DATABASE_UNREACHABLE', recovery: 'retry' });
    expect(String(error)).toContain(`tieout@127.0.0.1:${port}/ledger`);
    expect(String(error)).not.toContain('hunter2');
    await expect(connect('postgres://tieout:hunter2@:::/')).rejects.toThrow(/^(?!.*hunter2)/);
  });
});

describe('a SQLite file', () => {
  it('is created with its folder, for its owner only', async () => {
    const path = join(folder, 'deep', 'er', 'ledger.db');
    const database = await connect(`sqlite:${path}`);
    await migrate(database, LIBRARY);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    expect(database.place).toBe(path);
    await database.close();
  });

  it.each(['/proc/nowhere/a.db', '/dev/null/a.db'])(
    'that cannot be made at %s is refused at once',
    async (path) => {
      await expect(connect(`sqlite:${path}`)).rejects.toMatchObject({
        code: 'E_DATABASE_ACCESS',
        recovery: 'fix-config',
      });
    },
  );

  it('of another program is refused and left as it was', async () => {
    const path = join(folder, 'bookmarks.db');
    const other = new DatabaseSync(path);
    other.exec('create table bookmarks (url text)');
    other.close();
    const before = readFileSync(path);
    await expect(connect(`sqlite:${path}`)).rejects.toMatchObject({
      code: 'E_DATABASE_FOREIGN',
      recovery: 'fix-config',
      message: `${path} is not a database of Tieout; it was left untouched.`,
    });
    expect(readFileSync(path)).toEqual(before);
  });

  it('that is damaged is refused with the file named', async () => {
    const path = join(folder, 'damaged.db');
    const database = await connect(`sqlite:${path}`);
    await migrate(database, LIBRARY);
    await database.close();
    const bytes = readFileSync(path);
    bytes.fill(0xff, 1_000);
    writeFileSync(path, bytes);
    const reopened = connect(`sqlite:${path}`).then((again) => migrate(again, LIBRARY));
    await expect(reopened).rejects.toMatchObject({
      code: 'E_DATABASE_DAMAGED',
      recovery: 'fix-input',
      message: expect.stringContaining(path),
    });
  });

  it('stays in use for other processes when a second connection to it has been opened and closed', async () => {
    const path = join(folder, 'two-connections.db');
    const database = await connect(`sqlite:${path}`);
    await migrate(database, LIBRARY);
    const tables = database.tables<{ shelves: { id: number; name: string } }>();
    const lock = await takeRunLock(database);
    const held = locksOn(path);
    const second = await connect(`sqlite:${path}`);
    expect(held).not.toEqual([]);
    expect(locksOn(path)).toEqual(held);
    await expect(takeRunLock(second)).rejects.toMatchObject({ code: 'E_RUN_LOCKED' });
    expect(namesReadElsewhere(path)).toEqual([]);
    expect(existsSync(`${path}-wal`)).toBe(true);
    expect(isLockedElsewhere(`${path}.lock`)).toBe(true);
    await second.close();
    await tables.insertInto('shelves').values({ id: 1, name: 'atlases' }).execute();
    expect(namesReadElsewhere(path)).toEqual(['atlases']);
    await lock.release();
    await database.close();
    expect(namesReadElsewhere(path)).toEqual(['atlases']);
  });
});

/** The locks of all processes on a file, as the system lists them without their numbers. */
const locksOn = (path: string): readonly string[] => {
  const locks = readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`:${statSync(path).ino} `))
    .map((line) => line.replace(/^\d+: /, ''));
  // The system repeats a line where other locks come and go while it is read.
  return [...new Set(locks)];
};

/** Have another process run a few lines on a file and return what they come to. */
const elsewhere = (path: string, lines: string): unknown =>
  JSON.parse(
    execFileSync(process.execPath, [
      '-e',
      `const file = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)});
       const result = (() => { ${lines} })();
       file.close();
       console.log(JSON.stringify(result));`,
    ]).toString(),
  );

const namesReadElsewhere = (path: string): unknown =>
  elsewhere(path, `return file.prepare('select name from shelves').all().map(({ name }) => name)`);

const isLockedElsewhere = (path: string): unknown =>
  elsewhere(path, `try { file.exec('begin exclusive'); return false } catch { return true }`);

const closedPort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address ? address.port : 0;
};
