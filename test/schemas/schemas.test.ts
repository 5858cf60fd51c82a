import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { openLedger } from '../../src/service/ledger/ledger.ts';
import { closeHere } from '../support/close-here.ts';
import { filesOf, temporaryFolder } from '../support/tieout.ts';
import { DATABASES, type DatabaseName, databaseIn, stepsOf } from './schema-databases.ts';
import { writeSchemaShop } from './schema-shop.ts';
import { loadSqlDump, sqlDumpOf } from './sql-dump.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const KEPT = readdirSync(HERE)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.replace(/\.sql$/, ''))
  .sort();
const versionsOf = (name: DatabaseName): readonly string[] =>
  KEPT.filter((version) => version.startsWith(`${name}-`));
const newestOf = (name: DatabaseName): string => versionsOf(name).at(-1) ?? '';
const dumpOf = (version: string): string => readFileSync(join(HERE, `${version}.sql`), 'utf8');

const shop = async (): Promise<string> => {
  const folder = await temporaryFolder();
  await writeSchemaShop(folder);
  mkdirSync(join(folder, '.tieout'));
  return folder;
};
const load = (folder: string, name: DatabaseName, version: string): string => {
  const path = databaseIn(folder, name);
  loadSqlDump(dumpOf(version), path);
  return path;
};

/** The shop as it is closed with databases of today. */
const fresh = mkdtempSync(join(tmpdir(), 'tieout-schemas-'));
let expected: ReadonlyMap<string, Buffer>;
beforeAll(async () => {
  await writeSchemaShop(fresh);
  await closeHere(fresh);
  expected = await filesOf(join(fresh, 'out'));
  expect(expected.size).toBeGreaterThan(5);
});
afterAll(() => rmSync(fresh, { recursive: true }));

test('a database of every schema version is kept (npm run keep:schemas writes that of a new step)', () => {
  const versions = DATABASES.flatMap((name) =>
    stepsOf(databaseIn(fresh, name), name).map((step) => `${name}-${step}`),
  );
  expect(versions.length).toBeGreaterThanOrEqual(DATABASES.length);
  expect(KEPT).toEqual(versions.sort());
});

test.for(DATABASES)('the kept %s of the newest version has the tables of today', (name) => {
  const tablesIn = (text: string) => text.split('\n').filter((line) => /^create /i.test(line));
  expect(tablesIn(dumpOf(newestOf(name)))).toEqual(tablesIn(sqlDumpOf(databaseIn(fresh, name))));
});

test.for(versionsOf('workspace'))(
  'an earlier version of the workspace is brought up to date, and closes to the same bytes as a new one: %s',
  async (version) => {
    const folder = await shop();
    load(folder, 'workspace', version);
    load(folder, 'ledger', newestOf('ledger'));
    await closeHere(folder);
    expect(await filesOf(join(folder, 'out'))).toEqual(expected);
  },
);

test.for(versionsOf('ledger'))(
  'an earlier version of the ledger is brought up to date, and its records are read: %s',
  async (version) => {
    const path = load(await shop(), 'ledger', version);
    const database = await connect(`sqlite:${path}`);
    const ledger = await openLedger(database);
    const [account] = await ledger.accounts.list();
    expect(account).toMatchObject({ name: 'shop', blockOverPlan: false, nexus: [{ state: 'CA' }] });
    const span = { accountId: account?.id ?? 0, provider: 'shopify' } as const;
    const ids = async (kind: 'order' | 'refund') => ledger.transactions.listIds({ ...span, kind });
    const isEmpty = version < 'ledger-0003';
    expect([await ids('order'), await ids('refund')]).toEqual(
      isEmpty ? [[], []] : [['1', '2', '3'], [expect.stringContaining('2')]],
    );
    await database.close();
  },
);

describe('a newer version', () => {
  test.for(DATABASES)('of the %s is refused, and nothing is changed', async (name) => {
    const folder = await shop();
    const path = load(folder, name, newestOf(name));
    const file = new DatabaseSync(path);
    file.exec(`insert into ${name}_migration values ('9999-later', '2030-01-01')`);
    file.close();
    const before = sqlDumpOf(path);
    await expect(closeHere(folder)).rejects.toMatchObject({
      code: 'E_DATABASE_NEWER',
      message: expect.stringContaining('9999-later'),
    });
    expect(sqlDumpOf(path)).toBe(before);
  });
});
