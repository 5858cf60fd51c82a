import { cp, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { TaxService } from '../../src/contract/tax-service.ts';
import { ORDER } from '../contract/samples.ts';
import { servedTaxService } from '../contract/served-tax-service.ts';
import { month } from '../support/month.ts';
import { servedLedger } from '../support/served-ledger.ts';
import { filesOf, temporaryFolder, tieout } from '../support/tieout.ts';

const ORDERS = Array.from({ length: 12 }, (_, index) => ({
  name: `#${index + 1}`,
  price: `${100 + index}.00`,
  ...(index === 0 && ({ status: 'refunded', refunded: '110.75' } as const)),
}));
const REFUNDS = [{ order: '#1', at: '2026-10-20', amount: '110.75' }];
const newShop = () => month({ orders: ORDERS, refunds: REFUNDS });

/** A service that something is done before: its first calculation, a record in the middle of a list and its first listing. */
const interrupted = (service: TaxService, work: () => Promise<void>): TaxService => {
  const calls = { calculateTax: 0, list: 0, createMany: 0 };
  const before =
    <Call extends 'calculateTax' | 'list'>(name: Call, at: number) =>
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
    list: before('list', 1),
  };
};

describe('a backup', () => {
  test('taken at any moment of a close goes on to the same bytes when it is copied back and closed again', async () => {
    const reference = await newShop();
    await reference.close();
    const expected = await reference.files();
    const shop = await newShop();
    let backups = 0;
    const backUpNow = async (): Promise<void> => {
      await shop.told(0, 'backup', join(shop.folder, 'copies', `${backups}`));
      backups += 1;
    };
    await shop.closeWith((ports) => ({ ...ports, service: interrupted(ports.service, backUpNow) }));
    await backUpNow();
    expect(backups).toBe(4);
    for (let index = 0; index < backups; index += 1) {
      const other = await newShop();
      await cp(join(shop.folder, 'copies', `${index}`), other.folder, { recursive: true });
      await other.close();
      expect(await other.files()).toEqual(expected);
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
    const copies: {
      readonly name: string;
      readonly before: number;
      readonly after: number;
    }[] = [];
    try {
      while (copies.length < 3) {
        const enough = answered + 20;
        while (answered < enough) await setTimeout(1);
        const before = answered;
        const name = join(folder, `copy-${copies.length}`);
        expect((await tieout(['backup', name, '--ledger', url])).code).toBe(0);
        copies.push({ name, before, after: sent });
      }
    } finally {
      isOver = true;
      await Promise.all(writers);
      await client.close();
    }
    expect(answered).toBeGreaterThanOrEqual(60);

    for (const { name, before, after } of copies) {
      const file = new DatabaseSync(join(name, basename(served.path)), { readOnly: true });
      const count = file.prepare('select count(*) as count from transactions').get()?.['count'];
      file.close();
      expect(count).toBeGreaterThanOrEqual(before);
      expect(count).toBeLessThanOrEqual(after);
    }
  });

  test('holds records, locks, answers and locked folders, for its owner only, and takes the place of nothing', async () => {
    const shop = await newShop();
    await shop.close();
    await shop.told(0, 'lock', '2026-10', '--as', 'Ann');
    await shop.told(0, 'filed', '2026-10', 'CA', '--on', '2026-11-20', '--confirmation', 'C-1');
    await shop.write('decisions.csv', 'key,decision,why\n');
    const to = join(shop.folder, 'copy');
    const made = await shop.run('backup', to, '--json');
    expect({ code: made.code, stderr: made.stderr }).toEqual({ code: 0, stderr: '' });
    const { copies } = JSON.parse(made.stdout) as { copies: { file: string }[] };
    const names = copies.map(({ file }) => file);
    expect(names).toEqual(
      expect.arrayContaining([
        '.tieout/ledger.db',
        'decisions.csv',
        'filings.csv',
        'locks.ndjson',
        'out/shop/2026-10/evidence/lock.json',
      ]),
    );
    for (const file of names.filter((name) => !name.endsWith('.db')))
      expect(await readFile(join(to, file))).toEqual(await readFile(join(shop.folder, file)));
    expect((await stat(to)).mode & 0o77).toBe(0);

    const again = await shop.run('backup', to);
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/^E_FOLDER_NOT_EMPTY: .*copy is/)]);

    // All that a close needs beside the exports and the configuration is in it.
    const before = await shop.files();
    for (const name of ['.tieout', 'out', 'locks.ndjson', 'decisions.csv', 'filings.csv'])
      await rm(join(shop.folder, name), { recursive: true });
    await cp(to, shop.folder, { recursive: true });
    await shop.told(0, 'close', '2026-10');
    expect(await shop.files()).toEqual(before);
  });

  test('is of files: PostgreSQL has its own programs for it', async () => {
    const folder = await temporaryFolder();
    const url = 'postgres://user:secret@127.0.0.1/books';
    const { code, stderr } = await tieout(['backup', join(folder, 'copy'), '--ledger', url]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^E_BACKUP_ENGINE: .*\n.*pg_dump/)]);
    expect(stderr).not.toContain('secret');
    for (const ledger of ['books.db', 'postgres://user:secret@h:99999/x', ''])
      expect((await tieout(['backup', join(folder, 'copy'), '--ledger', ledger])).stderr).toMatch(
        /^E_DATABASE_ADDRESS: (?!.*secret).*\nWrite it as sqlite/,
      );
    const shop = await newShop();
    await shop.change({ settings: { databases: { ledger: url } } });
    await shop.write('locks.ndjson', '');
    const { stdout } = await shop.run('backup', join(shop.folder, 'copy'));
    expect(stdout).toContain('not copied: 127.0.0.1/books is a PostgreSQL database: use pg_dump\n');
    expect(await filesOf(join(shop.folder, 'copy'))).toHaveProperty('size', 2);
  });
});
