import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { month } from '../support/month.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { filesOf, temporaryFolder, tieout } from '../support/tieout.ts';

/** Every byte below a folder, logs unpacked. */
const everythingIn = async (folder: string): Promise<string> => {
  const files = [...(await filesOf(folder))];
  const texts = files.map(([path, bytes]) => (path.endsWith('.gz') ? gunzipSync(bytes) : bytes));
  return texts.map((bytes) => bytes.toString('latin1')).join('\n');
};

describe('a key', () => {
  test('is in none of the bytes of the ledger, its side files and its lock', async () => {
    const folder = await temporaryFolder();
    const url = `sqlite:${join(folder, 'ledger.db')}`;
    const database = await connect(url);
    const { accounts, keys } = await openLedger(database);
    const { id } = await accounts.ensure({ name: 'shop', nexus: [] });
    const { secret } = await keys.create(id);
    expect(await keys.accountOf(secret)).toBe(id);
    const open = await everythingIn(folder);
    await database.close();
    expect(open).toContain(secret.slice(0, 6));
    for (const bytes of [open, await everythingIn(folder)]) expect(bytes).not.toContain(secret);
  });

  test('is compared byte by byte, whatever row the database finds for it', async () => {
    const database = await connect('sqlite::memory:');
    const { keys } = await openLedger(database);
    const tables = database.tables<unknown>();
    // A table that takes upper and lower case for the same finds a row for a hash that is another one.
    await sql`drop table keys`.execute(tables);
    await sql`create table keys (id integer primary key, account_id integer, hash text collate nocase, hint text,
      created_at integer, revoked_at integer)`.execute(tables);
    const { secret } = await keys.create(7);
    expect(await (await openLedger(database)).keys.accountOf(secret)).toBe(7);
    await sql`update keys set hash = upper(hash)`.execute(tables);
    expect(await (await openLedger(database)).keys.accountOf(secret)).toBeUndefined();
    await database.close();
  });

  test('of a remote service is in nothing that a close prints, keeps or publishes, also when it fails', async () => {
    const { url, key } = await servedLedger(await temporaryFolder(), ['CA']);
    const shop = await month({ orders: [{ name: '#1' }], settings: { service: { url } } });
    const close = (secret: string, ...more: string[]) =>
      shop.runWith({ env: { TIEOUT_SERVICE_KEY: secret } }, 'close', '2026-10', ...more);
    const wrong = randomBytes(24).toString('hex');
    const runs = [await close(wrong), await close(key, '--json'), await close('not-a-header-\u{1F511}\n')];
    expect(runs.map(({ code }) => code)).toEqual([78, 0, 78]);
    const printed = runs.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    const said = `${printed}\n${await everythingIn(shop.folder)}`;
    expect(said).toContain('manifest.json');
    for (const secret of [key, wrong, 'not-a-header']) expect(said).not.toContain(secret);
  });

  test('in the environment is in no report that Node writes of a crash', async () => {
    const folder = await temporaryFolder();
    const marker = randomBytes(24).toString('hex');
    const ran = tieout(['serve', '--port', '0', '--json', '--ledger', `sqlite:${join(folder, 'l.db')}`], {
      node: ['--report-on-signal', `--report-directory=${folder}`],
      env: { TIEOUT_SERVICE_KEY: marker },
      killSignal: 'SIGUSR2',
      killWhen: (stdout) => stdout.includes('url'),
      killOn: reportIn(folder),
    });
    await ran;
    const report = (await readdir(folder)).find((name) => name.endsWith('.json')) ?? '';
    const text = await readFile(join(folder, report), 'utf8');
    expect(text).toContain('javascriptStack');
    expect(text).not.toContain(marker);
  });
});

/** When the report is written out. */
const reportIn = async (folder: string): Promise<void> => {
  for (;;) {
    const names = await readdir(folder).catch(() => []);
    const report = names.find((name) => name.endsWith('.json'));
    if (report && (await readFile(join(folder, report), 'utf8')).trimEnd().endsWith('}')) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
