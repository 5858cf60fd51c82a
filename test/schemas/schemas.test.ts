import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { WORKSPACE_MIGRATIONS } from '../../src/close/workspace/migrations.ts';
import { connect } from '../../src/database/connect.ts';
import { type MigrationSet, migrate } from '../../src/database/migrate.ts';
import { openLedger } from '../../src/service/ledger/ledger.ts';
import { LEDGER_MIGRATIONS } from '../../src/service/ledger/migrations.ts';
import { closeHere } from '../support/close-here.ts';
import { filesOf, temporaryFolder } from '../support/tieout.ts';
import { writeSchemaShop } from './schema-shop.ts';
import { loadSqlDump, sqlDumpOf } from './sql-dump.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const versionsOf = ({ name, steps }: MigrationSet): readonly string[] =>
  steps.map((step) => `${name}-${step.name}`);
const newestOf = (set: MigrationSet): string => versionsOf(set).at(-1) ?? '';
const dumpOf = (version: string): string => readFileSync(join(HERE, `${version}.sql`), 'utf8');

const shop = async (): Promise<string> => {
  const folder = await temporaryFolder();
  await writeSchemaShop(folder);
  mkdirSync(join(folder, '.tieout'));
  return folder;
};
const load = (folder: string, name: 'workspace' | 'ledger', version: string): string => {
  const path = join(folder, '.tieout', `${name}.db`);
  loadSqlDump(dumpOf(version), path);
  return path;
};

test('a database of every schema version is kept (npm run keep:schemas writes those of new steps)', () => {
  const kept = readdirSync(HERE).filter((name) => name.endsWith('.sql'));
  const versions = [...versionsOf(WORKSPACE_MIGRATIONS), ...versionsOf(LEDGER_MIGRATIONS)];
  expect(kept.sort()).toEqual(versions.map((version) => `${version}.sql`).sort());
});

test.for([WORKSPACE_MIGRATIONS, LEDGER_MIGRATIONS])(
  'the kept $name of the newest version has the tables of today',
  async (set) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'new.db');
    const database = await connect(`sqlite:${path}`);
    await migrate(database, set);
    await database.close();
    const tablesIn = (text: string) => text.split('\n').filter((line) => /^create /i.test(line));
    expect(tablesIn(dumpOf(newestOf(set)))).toEqual(tablesIn(sqlDumpOf(path)));
  },
);

describe('an earlier version of the workspace', () => {
  let expected: ReadonlyMap<string, Buffer>;
  beforeAll(async () => {
    const fresh = mkdtempSync(join(tmpdir(), 'tieout-schemas-'));
    await writeSchemaShop(fresh);
    await closeHere(fresh);
    expected = await filesOf(join(fresh, 'out'));
    rmSync(fresh, { recursive: true });
    expect(expected.size).toBeGreaterThan(5);
  });

  test.for(versionsOf(WORKSPACE_MIGRATIONS))(
    'is brought up to date, and closes to the same bytes as a new one: %s',
    async (version) => {
      const folder = await shop();
      load(folder, 'workspace', version);
      load(folder, 'ledger', newestOf(LEDGER_MIGRATIONS));
      await closeHere(folder);
      expect(await filesOf(join(folder, 'out'))).toEqual(expected);
    },
  );
});

describe('an earlier version of the ledger', () => {
  test.for(versionsOf(LEDGER_MIGRATIONS))(
    'is brought up to date, and its records are read: %s',
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
});

describe('a newer version', () => {
  test.for([WORKSPACE_MIGRATIONS, LEDGER_MIGRATIONS])(
    'of the $name is refused, and nothing is changed',
    async (set) => {
      const folder = await shop();
      const path = load(folder, set.name as 'workspace' | 'ledger', newestOf(set));
      const file = new DatabaseSync(path);
      file.exec(`insert into ${set.name}_migration values ('9999-later', '2030-01-01')`);
      file.close();
      const before = sqlDumpOf(path);
      await expect(closeHere(folder)).rejects.toMatchObject({
        code: 'E_DATABASE_NEWER',
        message: expect.stringContaining('9999-later'),
      });
      expect(sqlDumpOf(path)).toBe(before);
    },
  );
});
