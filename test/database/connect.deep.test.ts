import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { migrate } from '../../src/database/migrate.ts';
import { sqliteFiles } from '../support/databases.ts';
import { LIBRARY } from './behaviour.ts';

const { folder } = sqliteFiles();

describe('a SQLite file', () => {
  it('that another process is writing becomes free in time, or is refused as busy', async () => {
    const path = join(folder, 'shared.db');
    const database = await connect(`sqlite:${path}`, { busyWaitMs: 20_000 });
    const impatient = await connect(`sqlite:${path}`, { busyWaitMs: 20 });
    await migrate(database, LIBRARY);
    const script = `
      const { DatabaseSync } = require('node:sqlite');
      const file = new DatabaseSync(process.argv[1]);
      file.exec("begin immediate; insert into shelves (name) values ('theirs')");
      process.stdout.write('locked');
      process.stdin.once('data', () => { file.exec('commit'); process.exit(0); });`;
    const other = spawn(process.execPath, ['-e', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(other, 'exit');
    await once(other.stdout, 'data');

    const insertion = (into: typeof database) =>
      into.tables<{ shelves: { name: string } }>().insertInto('shelves').values({ name: 'ours' }).execute();
    await expect(insertion(impatient)).rejects.toMatchObject({ code: 'E_DATABASE_BUSY' });
    const waiting = insertion(database);
    other.stdin.write('now');
    await waiting;
    await ended;

    const tables = database.tables<{ shelves: { name: string } }>();
    const names = await tables.selectFrom('shelves').select('name').orderBy('name').execute();
    expect(names).toEqual([{ name: 'ours' }, { name: 'theirs' }]);
    await database.close();
    await impatient.close();
  });
});

describe.runIf('url' in (inject('postgres') ?? {}))('a PostgreSQL server', () => {
  const server = inject('postgres');
  const address = new URL(server && 'url' in server ? server.url : 'postgres://none');

  it.each([
    ['a wrong password', (url: URL) => Object.assign(url, { password: 'wrong' })],
    ['a database that does not exist', (url: URL) => Object.assign(url, { pathname: '/nowhere' })],
    ['a user that does not exist', (url: URL) => Object.assign(url, { username: 'no one-knows' })],
    ['no password', (url: URL) => Object.assign(url, { password: '' })],
    ['TLS where there is none', (url: URL) => Object.assign(url, { search: '?sslmode=verify-full' })],
  ])('refuses %s as a matter of configuration', async (_, change) => {
    const url = change(new URL(address)).toString();
    await expect(connect(url)).rejects.toMatchObject({ code: 'E_DATABASE_ACCESS', recovery: 'fix-config' });
  });
});
