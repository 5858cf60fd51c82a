import { expect, test } from 'vitest';
import { closeHere } from '../support/close-here.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

test('an order that is voided after it was recorded is shown with what the export says now', async () => {
  const folder = await temporaryFolder();
  await writeShop(folder, ['orders.csv']);
  await writeOrders(folder, 'orders.csv', [{ name: '#1' }, { name: '#2' }]);
  await closeHere(folder);
  await writeOrders(folder, 'orders.csv', [{ name: '#1', status: 'voided' }, { name: '#2' }]);
  const { report } = (await closeHere(folder)).written;
  expect(report.exceptions.filter(({ code }) => code === 'R20').map(({ message }) => message)).toEqual([
    'the service holds this order of "shopify" with 10.75 tax; orders.csv:2 is ignored: the payment was voided, so nothing was sold',
  ]);
});

test('of an order that two exports set aside, the first by name is quoted', async () => {
  const folder = await temporaryFolder();
  await writeShop(folder, ['a.csv', 'z.csv']);
  const write = async (status: 'paid' | 'voided') => {
    for (const file of ['a.csv', 'z.csv']) await writeOrders(folder, file, [{ name: '#1', status }]);
  };
  await write('paid');
  await closeHere(folder);
  await write('voided');
  const { report } = (await closeHere(folder)).written;
  expect(report.exceptions.filter(({ code }) => code === 'R20').map(({ message }) => message)).toEqual([
    'the service holds this order of "shopify" with 10.75 tax; a.csv:2 is ignored: the payment was voided, so nothing was sold',
  ]);
});
