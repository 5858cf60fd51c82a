import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closeHere } from '../support/close-here.ts';
import { writeOrders, writeRefunds, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

test('a close with a new workspace compares what the service holds already, and sends it only where it differs', async () => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'orders.csv', [
    { name: '#1' },
    { name: '#2', status: 'refunded', refunded: '110.75' },
    { name: '#3' },
  ]);
  await writeRefunds(folder, 'p.csv', [{ order: '#2', at: '2026-10-20 09:00:00 -0700', amount: '110.75' }]);
  await writeShop(folder, ['orders.csv'], ['p.csv']);
  expect((await closeHere(folder)).submitted).toMatchObject({ created: 4, updated: 0, unchanged: 0 });

  for (const end of ['', '-wal', '-shm'])
    await rm(join(folder, '.tieout', `workspace.db${end}`), { force: true });
  expect((await closeHere(folder)).submitted).toMatchObject({ created: 0, updated: 0, unchanged: 4 });

  for (const end of ['', '-wal', '-shm'])
    await rm(join(folder, '.tieout', `workspace.db${end}`), { force: true });
  await writeOrders(folder, 'orders.csv', [
    { name: '#1' },
    { name: '#2', status: 'refunded', refunded: '110.75' },
    { name: '#3', price: '40.00', tax: '4.30' },
  ]);
  expect((await closeHere(folder)).submitted).toMatchObject({ created: 0, updated: 1, unchanged: 3 });
});
