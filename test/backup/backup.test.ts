import { mkdtempSync } from 'node:fs';
import {
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TaxService } from '../../src/contract/tax-service.ts';
import { connect } from '../../src/database/connect.ts';
import { ORDER } from '../contract/samples.ts';
import { servedTaxService } from '../contract/served-tax-service.ts';
import { closeHere } from '../support/close-here.ts';
import { month } from '../support/month.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { type ShopOrder, writeOrders, writeRefunds, writeShop } from '../support/shop.ts';
import { filesOf, temporaryFolder, tieout } from '../support/tieout.ts';

const ORDERS: readonly ShopOrder[] = Array.from({ length: 12 }, (_, index) => ({
  name: `#${index + 1}`,
  price: `${100 + index}.00`,
  ...(index === 0 && { status: 'refunded', refunded: '110.75' }),
}));

const newShop = async (): Promise<string> => {
  const folder = await temporaryFolder();
  await writeShopFiles(folder);
  return folder;
};

const writeShopFiles = async (folder: string): Promise<void> => {
  await writeOrders(folder, 'orders.csv', ORDERS);
  await writeRefunds(folder, 'refunds.csv', [
    { order: '#1', at: '2026-10-20 09:00:00 -0700', amount: '110.75' },
  ]);
  await writeShop(folder, ['orders.csv'], ['refunds.csv']);
};

/** A service that something is done before: its first calculation, a record in the middle of a list and its first listing. */
const interrupted = (service: TaxService, work: () => Promise<void>): TaxService => {
  const calls = { calculateTax: 0, listOrders: 0, createMany: 0 };
  const before =
    <Call extends 'calculateTax' | 'listOrders'>(name: Call, at: number) =>
    async (...args: Parameters<TaxService[Call]>) => {
      calls[name] += 1;
      if (calls[name] === at) await work();
      return (service[name] as (...given: typeof args) => Promise<never>)(...args);
    };
  return {
    ...service,
    calculateTax: before('calculateTax', 1),
    createMany: async (transactions) => {
      calls.createMany += 1;
      if (calls.createMany > 1) return service.createMany(transactions);
      const first = await service.createMany(transactions.slice(0, 4));
      await work();
      return [...first, ...(await service.createMany(transactions.slice(4)))];
    },
    listOrders: before('listOrders', 1),
  };
};

const configOf = (folder: string): string => join(folder, 'tieout.yaml');
const outputOf = async (folder: string) => filesOf(join(folder, 'out'));

/** What a backup says of its copies. */
const backedUp = async (to: string, ...databases: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await tieout(['backup', to, ...databases, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.stringify((JSON.parse(stdout) as { copies: unknown }).copies);
};

const restoring = async (from: string, ...args: string[]) => {
  const { code, stdout, stderr } = await tieout(['restore', from, ...args]);
  return { code, text: stdout + stderr };
};

describe('a backup', () => {
  test('taken at any moment of a close goes on to the same bytes when it is restored and closed again', async () => {
    const shop = await newShop();
    await closeHere(shop);
    await rm(join(shop, 'out'), { recursive: true });
    await rm(join(shop, '.tieout'), { recursive: true });

    const notes: string[] = [];
    const backUpNow = async (): Promise<void> => {
      notes.push(await backedUp(join(shop, 'copies', `${notes.length}`), '-c', configOf(shop)));
    };
    await closeHere(shop, (ports) => ({ ...ports, service: interrupted(ports.service, backUpNow) }));
    await backUpNow();
    expect(new Set(notes).size).toBe(4);

    const expected = await outputOf(shop);
    for (const index of notes.keys()) {
      const other = await newShop();
      const { code, text } = await restoring(join(shop, 'copies', `${index}`), '-c', configOf(other));
      expect([code, text]).toEqual([
        0,
        expect.stringMatching(
          /^workspace: .* was missing\nledger: .* was missing\nNext: close every month again/,
        ),
      ]);
      await closeHere(other);
      expect(await outputOf(other)).toEqual(expected);
    }
  });

  test('taken while a service writes holds every write that was answered before, each once', async () => {
    const folder = await temporaryFolder();
    const served = await servedLedger(folder, ['CA']);
    const client = servedTaxService(served);
    let sent = 0;
    let answered = 0;
    let isOver = false;
    const writer = async () => {
      while (!isOver) {
        sent += 1;
        await client.createOrder({ ...ORDER, transaction_id: `o-${String(sent).padStart(6, '0')}` } as never);
        answered += 1;
      }
    };
    const writers = Array.from({ length: 8 }, writer);
    const url = `sqlite:${served.path}`;
    const copies: { readonly name: string; readonly before: number; readonly after: number }[] = [];
    try {
      while (copies.length < 3) {
        const enough = answered + 20;
        while (answered < enough) await setTimeout(1);
        const before = answered;
        const name = join(folder, `copy-${copies.length}`);
        await backedUp(name, '--ledger', url);
        copies.push({ name, before, after: sent });
      }
    } finally {
      isOver = true;
      await Promise.all(writers);
      await client.close();
    }
    expect(answered).toBeGreaterThanOrEqual(60);

    for (const { name, before, after } of copies) {
      const target = join(name, 'restored.db');
      expect((await restoring(name, '--ledger', `sqlite:${target}`)).code).toBe(0);
      const file = new DatabaseSync(target);
      const count = file.prepare('select count(*) as count from transactions').get()?.['count'];
      file.close();
      expect(count).toBeGreaterThanOrEqual(before);
      expect(count).toBeLessThanOrEqual(after);
    }
  });

  test('says what it holds, is for its owner only, and takes the place of nothing', async () => {
    const shop = await newShop();
    await closeHere(shop);
    const to = join(shop, 'copy');
    const made = await tieout(['backup', to, '--config', configOf(shop), '--json']);
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toMatchObject({
      entities: ['shop'],
      copies: [
        { name: 'workspace', rows: { sale: 13, page: expect.any(Number) } },
        { name: 'ledger', rows: { transactions: 13, accounts: 1 } },
      ],
    });
    expect(await readdir(to)).toEqual(['backup.json', 'ledger.db', 'workspace.db']);
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await modeOf(to)).toBe('700');
    for (const name of await readdir(to)) expect([name, await modeOf(join(to, name))]).toEqual([name, '600']);

    const again = await tieout(['backup', to, '--config', configOf(shop)]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/^E_FOLDER_NOT_EMPTY: .*copy is/)]);
  });
});

describe('a restore', () => {
  const closed = mkdtempSync(join(tmpdir(), 'tieout-backup-'));
  beforeAll(async () => {
    await writeShopFiles(closed);
    await closeHere(closed);
    await backedUp(join(closed, 'copy'), '-c', configOf(closed));
  });
  afterAll(() => rm(closed, { recursive: true }));

  const shopWithCopy = async () => {
    const shop = await temporaryFolder();
    await cp(closed, shop, { recursive: true });
    const copy = join(shop, 'copy');
    return { shop, copy, ledger: join(shop, '.tieout', 'ledger.db') };
  };

  test('takes the place of what is damaged when it is told to', async () => {
    const { shop, copy, ledger } = await shopWithCopy();
    const config = ['-c', configOf(shop)];
    await closeHere(shop);
    const expected = await outputOf(shop);

    const bytes = await readFile(ledger);
    bytes.fill(0xff, 200, bytes.length);
    await writeFile(ledger, bytes);
    expect((await restoring(copy, ...config)).text).toMatch(
      /^E_RESTORE_EXISTS: .*ledger\.db is there already, and/,
    );
    expect(await restoring(copy, '--replace', ...config)).toEqual({
      code: 0,
      text: expect.stringMatching(
        /^workspace: left as it is: .* is sound\nledger: .*ledger\.db was damaged\nNext: close every month again/,
      ),
    });
    expect(await readdir(join(shop, '.tieout'))).toContain('ledger.db.damaged');
    await closeHere(shop);
    expect(await outputOf(shop)).toEqual(expected);
  });

  test('gives each entity its own data back, whatever the order of entities is now', async () => {
    const both = await month({ entities: { north: ownDatabases('north'), south: ownDatabases('south') } });
    const copy = join(both.folder, 'copy');
    await both.told(0, 'close', '2026-10');
    await both.told(0, 'backup', copy);
    const entitiesIn = (name: string) => {
      const file = new DatabaseSync(join(both.folder, 'own', name, 'ledger.db'), { readOnly: true });
      const names = file.prepare('select name from accounts').all();
      file.close();
      return names.map((row) => row['name']);
    };
    expect(entitiesIn('south')).toEqual(['south']);
    await both.change({ entities: { south: ownDatabases('south'), north: ownDatabases('north') } });
    await rm(join(both.folder, 'own', 'south'), { recursive: true });
    await both.told(0, 'restore', copy);
    expect(entitiesIn('south')).toEqual(['south']);
    expect(entitiesIn('north')).toEqual(['north']);
  });

  test('does not touch what another process has open', async () => {
    const { shop, copy, ledger } = await shopWithCopy();
    const open = await connect(`sqlite:${ledger}`);
    const { code, text } = await restoring(copy, '--set-back', ledger, '-c', configOf(shop));
    expect([code, text]).toEqual([75, expect.stringMatching(/^E_DATABASE_IN_USE: .*ledger\.db is open/)]);
    await open.close();
  });

  test.for<[string, RegExp, (copy: string) => Promise<void>]>([
    [
      'a changed copy',
      /^E_BACKUP_DAMAGED: .*ledger\.db .*digest/,
      (copy) => truncate(`${copy}/ledger.db`, 8192),
    ],
    ['a missing copy', /^E_BACKUP_DAMAGED: .*ledger\.db .*cannot be read/, (copy) => rm(`${copy}/ledger.db`)],
    [
      'a copy behind a link',
      /^E_BACKUP_DAMAGED: .*ledger\.db .*: it is a link/,
      async (copy) => {
        await rename(`${copy}/ledger.db`, `${copy}/../elsewhere.db`);
        await symlink('../elsewhere.db', `${copy}/ledger.db`);
      },
    ],
    [
      'a note behind a link',
      /^E_BACKUP_DAMAGED: .*backup\.json .*: it is a link/,
      async (copy) => {
        await rename(`${copy}/backup.json`, `${copy}/../elsewhere.json`);
        await symlink('../elsewhere.json', `${copy}/backup.json`);
      },
    ],
    ...['-wal', '-shm', '-journal'].map((side): [string, RegExp, (copy: string) => Promise<void>] => [
      `a copy with a ${side} file beside it`,
      new RegExp(`^E_BACKUP_DAMAGED: .*: workspace\\.db${side} lies beside it`),
      (copy) => writeFile(`${copy}/workspace.db${side}`, 'of another database'),
    ]),
    [
      'a copy that is a folder',
      /^E_BACKUP_DAMAGED: .*ledger\.db .*: it is not a file/,
      async (copy) => {
        await rm(`${copy}/ledger.db`);
        await mkdir(`${copy}/ledger.db`);
      },
    ],
    ['a changed note', /^E_BACKUP_DAMAGED: .*backup\.json/, (copy) => writeFile(`${copy}/backup.json`, '{}')],
    ['no backup', /^E_BACKUP_MISSING/, (copy) => rm(`${copy}/backup.json`)],
    [
      'a note of other rows',
      /^E_BACKUP_DAMAGED: .*rows/,
      (copy) => edited(`${copy}/backup.json`, '"transactions": 13', '"transactions": 12'),
    ],
    [
      'a backup of other databases',
      /^E_BACKUP_OTHER: .*no ledger/,
      (copy) => edited(`${copy}/backup.json`, '"kind": "ledger"', '"kind": "workspace"'),
    ],
    [
      'a backup of another entity',
      /^E_BACKUP_OTHER: .*nothing of shop.* of shed/,
      (copy) => editedThroughout(`${copy}/backup.json`, '"shop"', '"shed"'),
    ],
    ['a newer schema', /^E_DATABASE_NEWER: .*9999-later/, (copy) => withNewerStep(copy)],
    ['a file of another program', /^E_DATABASE_FOREIGN: .*workspace\.db/, (copy) => withForeignFile(copy)],
  ])('refuses %s, and changes nothing', async ([, message, damage]) => {
    const { shop, copy } = await shopWithCopy();
    await damage(copy);
    await rm(join(shop, '.tieout'), { recursive: true });
    const { code, text } = await restoring(copy, '-c', configOf(shop));
    expect(text).toMatch(message);
    expect(code).not.toBe(0);
    expect(await readdir(shop)).not.toContain('.tieout');
  });

  test('and a backup are of files: PostgreSQL has its own programs for them', async () => {
    const folder = await temporaryFolder();
    const url = 'postgres://user:secret@127.0.0.1/books';
    const { code, stderr } = await tieout(['backup', join(folder, 'copy'), '--ledger', url]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^E_BACKUP_ENGINE: .*\n.*pg_dump/)]);
    expect(stderr).not.toContain('secret');
    // There is a configuration by default, which this is not about.
    expect(stderr).toMatch(/\nThis was `tieout backup .*` with --ledger\.\n$/);
  });
});

/** An entity with databases of its own. */
const ownDatabases = (name: string) => ({
  orders: [{ name: '#1' }],
  settings: {
    databases: { workspace: `sqlite:own/${name}/workspace.db`, ledger: `sqlite:own/${name}/ledger.db` },
  },
});

const edited = async (file: string, from: string, to: string): Promise<void> => {
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
};

const editedThroughout = async (file: string, from: string, to: string): Promise<void> =>
  writeFile(file, (await readFile(file, 'utf8')).replaceAll(from, to));

const withDigestNoted = async (copy: string, name: string): Promise<void> => {
  const { sha256OfFile } = await import('../../src/runtime/publish-folder.ts');
  const note = JSON.parse(await readFile(join(copy, 'backup.json'), 'utf8')) as {
    copies: { name: string; sha256: string }[];
  };
  for (const each of note.copies)
    if (each.name === name) each.sha256 = await sha256OfFile(join(copy, `${name}.db`));
  await writeFile(join(copy, 'backup.json'), JSON.stringify(note));
};

const withNewerStep = async (copy: string): Promise<void> => {
  const file = new DatabaseSync(join(copy, 'ledger.db'));
  file.exec(`insert into ledger_migration values ('9999-later', '2030-01-01')`);
  file.close();
  await withDigestNoted(copy, 'ledger');
};

const withForeignFile = async (copy: string): Promise<void> => {
  await rm(join(copy, 'workspace.db'));
  const file = new DatabaseSync(join(copy, 'workspace.db'));
  file.exec('pragma application_id = 7; create table theirs (x)');
  file.close();
  await withDigestNoted(copy, 'workspace');
};
