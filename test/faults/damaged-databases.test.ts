import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { seeded } from '../hostile/random.ts';
import type { Month } from '../support/month.ts';
import { preparedMonth } from '../support/prepared-month.ts';
import { damageFile } from './damage-file.ts';

const closedMonth = preparedMonth({ orders: [{ name: '#1' }, { name: '#2' }] }, (shop) =>
  shop.told(0, 'close', '2026-10'),
);

const ledgerOf = ({ folder }: Month) => join(folder, '.tieout', 'ledger.db');

/** Change what a database holds as no command does. */
const meddle = (path: string, change: string): void => {
  const file = new DatabaseSync(path);
  expect(Number(file.prepare(change).run().changes)).toBeGreaterThan(0);
  file.close();
};

const expectDamaged = async (shop: Month): Promise<string> => {
  const { code, stderr } = await shop.run('close', '2026-10', '--quiet');
  expect({ code, stderr }).toEqual({
    code: 65,
    stderr: expect.stringMatching(/^E_DATABASE_DAMAGED: .* is damaged: .*docs\/cron\.md/s),
  });
  expect(stderr).toContain(ledgerOf(shop));
  expect(stderr).not.toMatch(/defect|\n {4}at /);
  return stderr;
};

test.each([
  ['zeros the header', 'E_DATABASE_FOREIGN'],
  ['overwrites the middle', 'E_DATABASE_DAMAGED'],
])(
  'a ledger of which a disk %s is refused, and its records come again once it is moved away',
  async (how, code) => {
    const shop = await closedMonth();
    const published = await shop.files();
    await shop.change({ orders: [{ name: '#1' }, { name: '#2', price: '99.00' }] });
    damageFile(ledgerOf(shop), how, seeded(1));
    const { stderr } = await shop.run('close', '2026-10', '--quiet');
    expect(stderr).toMatch(new RegExp(`^${code}: .*docs/cron\\.md`, 's'));
    expect(await shop.files()).toEqual(published);
    for (const side of ['', '-wal', '-shm']) await rm(`${ledgerOf(shop)}${side}`, { force: true });
    await shop.change({ orders: [{ name: '#1' }, { name: '#2' }] });
    await shop.told(0, 'close', '2026-10', '--quiet');
    expect(await shop.files()).toEqual(published);
  },
);

const CUT = 'update transactions set line_items = substr(line_items, 2)';

test('rows whose JSON cannot be read are damage', async () => {
  const shop = await closedMonth();
  await shop.change({ orders: [{ name: '#1' }, { name: '#2', price: '99.00' }, { name: '#3' }] });
  meddle(ledgerOf(shop), CUT);
  expect(await expectDamaged(shop)).toContain('a row cannot be read');
});

test('a database that is damaged while a close works is damaged, and the run is not one to try again', async () => {
  const shop = await closedMonth();
  await shop.change({ orders: [{ name: '#1' }, { name: '#2', price: '99.00' }, { name: '#3' }] });
  let isSound = true;
  const closing = shop.closeWith((ports) => ({
    ...ports,
    service: {
      ...ports.service,
      list: async (kind, query) => {
        if (isSound) meddle(ledgerOf(shop), CUT);
        isSound = false;
        return ports.service.list(kind, query);
      },
    },
  }));
  await expect(closing).rejects.toMatchObject({ code: 'E_DATABASE_DAMAGED', recovery: 'fix-input' });
});
