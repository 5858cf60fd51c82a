import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { seeded } from '../hostile/random.ts';
import type { Month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import { damageFile } from './damage-file.ts';

const closedMonth = preparedMonth({ orders: [{ name: '#1' }, { name: '#2' }] }, async (shop) => {
  await shop.told(0, 'close', '2026-10');
  expect((await shop.run('backup', join(shop.folder, 'copies'))).code).toBe(0);
});

const pathOf = ({ folder }: Month, name: string) => join(folder, '.tieout', name);

/** Change what a database holds as no command does. */
const meddle = (path: string, change: string): void => {
  const file = new DatabaseSync(path);
  expect(Number(file.prepare(change).run().changes)).toBeGreaterThan(0);
  file.close();
};

const expectDamaged = async (shop: Month, path: string, ...command: readonly string[]): Promise<string> => {
  const { code, stderr } = await shop.run(...command);
  expect({ code, stderr }).toEqual({
    code: 65,
    stderr: expect.stringMatching(/^E_DATABASE_DAMAGED: .* is damaged: .*tieout restore BACKUP --replace/s),
  });
  expect(stderr).toContain(path);
  expect(stderr).not.toMatch(/defect|\n {4}at /);
  return stderr;
};

describe.each(['workspace.db', 'ledger.db'])('a %s', (name) => {
  test.each(['zeros the header', 'zeros the first page', 'overwrites the middle'])(
    'of which a disk %s is refused as damaged, and put back by restore',
    async (how) => {
      const shop = await closedMonth();
      const published = await shop.files();
      await shop.change({ orders: [{ name: '#1' }, { name: '#2', price: '99.00' }] });
      damageFile(pathOf(shop, name), how, seeded(1));
      await expectDamaged(shop, pathOf(shop, name), 'close', '2026-10', '--quiet');
      expect(await shop.files()).toEqual(published);
      const restored = await shop.run('restore', join(shop.folder, 'copies'), '--replace');
      expect({ code: restored.code, stderr: restored.stderr }).toEqual({ code: 0, stderr: '' });
      await shop.change({ orders: [{ name: '#1' }, { name: '#2' }] });
      expect((await shop.run('close', '2026-10', '--quiet')).code).toBe(0);
      expect(await shop.files()).toEqual(published);
    },
  );

  test('that belongs to another program is still left alone', async () => {
    const shop = await closedMonth();
    await rm(pathOf(shop, name));
    await shop.write(join('.tieout', name), 'a text that somebody keeps here');
    expect(await shop.refused('close', '2026-10')).toBe('E_DATABASE_FOREIGN');
  });
});

test.each([
  ['workspace.db', 'update closing set report = substr(report, 1, 40)', 'closing'],
  ['ledger.db', 'update transactions set line_items = substr(line_items, 2)', 'transactions'],
])(
  'rows of %s whose JSON cannot be read are damage, the table is named, and restore puts it back: %s',
  async (name, change, table) => {
    const shop = await closedMonth();
    await shop.change({ orders: [{ name: '#1' }, { name: '#2', price: '99.00' }, { name: '#3' }] });
    meddle(pathOf(shop, name), change);
    const stderr = await expectDamaged(shop, pathOf(shop, name), 'close', '2026-10', '--quiet');
    expect(stderr).toContain(`of the table ${table} cannot be read`);
    const copies = join(shop.folder, 'copies');
    expect(await shop.refused('restore', copies)).toBe('E_RESTORE_EXISTS');
    const { stdout } = await shop.run('restore', copies, '--replace');
    expect(stdout).toContain(`${pathOf(shop, name)} was damaged`);
    expect((await shop.run('close', '2026-10', '--quiet')).code).toBe(0);
  },
);

test('a database that is damaged while a close works is damaged, and the run is not one to try again', async () => {
  const shop = await closedMonth();
  const path = pathOf(shop, 'workspace.db');
  await shop.change({ orders: [{ name: '#1' }, { name: '#2', price: '99.00' }, { name: '#3' }] });
  const closing = shop.closeWith((ports) => ({
    ...ports,
    service: {
      ...ports.service,
      listOrders: async (query) => {
        meddle(path, 'update page set body = substr(body, 1, 30)');
        return ports.service.listOrders(query);
      },
    },
  }));
  await expect(closing).rejects.toMatchObject({ code: 'E_DATABASE_DAMAGED', recovery: 'fix-input' });
});
