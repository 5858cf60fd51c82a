import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

const SOLD: Order = { name: '#1', refundedOn: '2026-10-20' };
const CONTRADICTED = [SOLD, { name: '#2' }, { ...SOLD, price: '60.00' }];

test('a record of one copy leaves the service when the other copy is back, and its refund with it', async () => {
  const shop = await month({ orders: CONTRADICTED });
  await shop.close();
  const [files, records] = [await shop.files(), await shop.records()];
  expect(records).toEqual(['order 2 100.00 10.75']);

  await shop.change({ orders: CONTRADICTED.slice(0, 2) });
  expect(await shop.close()).toMatchObject({ exit_code: 0, submissions: { created: 2 } });

  await shop.change({ orders: CONTRADICTED });
  expect(await shop.close()).toMatchObject({ submissions: { withdrawn: 2, created: 0 } });
  expect(await shop.records()).toEqual(records);
  expect(await shop.files()).toEqual(files);
  expect(await shop.close()).toMatchObject({ submissions: { withdrawn: 0 } });
});

test('a copy is not posted while sales behind it are missing, too, and is in an export of other days', async () => {
  const whole: Order[] = [...CONTRADICTED, { name: '#3', at: '2026-10-20' }];
  const shop = await month({ orders: whole });
  await shop.close();
  const [files, records] = [await shop.files(), await shop.records()];

  await shop.change({ orders: whole.slice(0, 2) });
  const cut = await shop.close();
  expect(cut).toMatchObject({ exit_code: 1, submissions: { created: 0 } });
  expect(messagesOf(cut, 'conflicting-duplicate')).toHaveLength(2);
  expect(await shop.records()).toEqual(records);
  expect(await shop.verify()).toEqual([]);

  await shop.change({ orders: [{ name: '#2' }, ...whole.slice(0, 1)] });
  const moved = await shop.close();
  expect(moved).toMatchObject({ exit_code: 1, submissions: { created: 0 } });
  expect(messagesOf(moved, 'conflicting-duplicate')).toHaveLength(2);

  await shop.change({ orders: whole });
  await shop.close();
  expect(await shop.records()).toEqual(records);
  expect(await shop.files()).toEqual(files);

  // Who takes the wrong copy out of a whole export has decided.
  await shop.change({ orders: [...whole.slice(0, 2), ...whole.slice(3)] });
  expect(await shop.close()).toMatchObject({ exit_code: 0, submissions: { created: 2 } });
});

test('what a workspace that is lost had recorded of one copy is taken back, too', async () => {
  const shop = await month({ orders: CONTRADICTED.slice(0, 2) });
  await shop.close();
  await rm(join(shop.folder, '.tieout', 'workspace.db'), { force: true });
  await shop.change({ orders: CONTRADICTED });
  expect(await shop.close()).toMatchObject({ submissions: { withdrawn: 2 } });
  expect(await shop.records()).toEqual(['order 2 100.00 10.75']);
});

test('a record that a lock holds stays when a copy contradicts it', async () => {
  const shop = await month({ orders: CONTRADICTED.slice(0, 2) });
  await shop.close();
  const records = await shop.records();
  expect((await shop.run('lock', '2026-10')).code).toBe(0);
  await shop.change({ orders: CONTRADICTED });
  await shop.run('close', '2026-10');
  expect(await shop.records()).toEqual(records);
});

test('the refund of an order that cannot be read any more is no record of a stranger', async () => {
  const shop = await month({ orders: [SOLD, { name: '#2' }] });
  await shop.close();
  await shop.change({ orders: [{ ...SOLD, total: '#REF!' }, { name: '#2' }] });
  const figures = await shop.close();
  expect(messagesOf(figures, 'R20')).toEqual([]);
  expect(messagesOf(figures, 'recorded-not-posted')).toEqual([
    'the service holds this order of "shopify" with 10.75 tax; orders.csv:2 is rejected: "#REF!" in Total is not an amount',
    'the service holds this refund of "shopify" with -10.75 tax; of its order, orders.csv:2 is rejected: "#REF!" in Total is not an amount',
  ]);
});

test('what is held stays open when its export is cut short before it, until the export is whole or no sale is missing', async () => {
  const whole: Order[] = [{ name: '#1' }, { name: '#2' }, { name: '#3', total: '#REF!' }, { name: '#4' }];
  const shop = await month({ orders: whole });
  const first = await shop.run('close', '2026-10');
  const [files, records] = [await shop.files(), await shop.records()];
  await shop.change({ orders: whole.slice(0, 2) });
  const cut = await shop.run('close', '2026-10');
  expect([first.code, cut.code]).toEqual([1, 1]);
  expect(cut.stdout).toContain('orders.csv (as read before):4');
  expect(await shop.records()).toEqual(records);
  expect(await shop.verify()).toEqual([]);

  const accept = [{ record: '#3', code: 'bad-cell', why: 'asked the shop' }];
  await shop.change({ orders: whole.slice(0, 2), settings: { policy: { accept } } });
  expect((await shop.run('close', '2026-10')).code).toBe(0);

  await shop.change({ orders: whole, settings: {} });
  await shop.run('close', '2026-10');
  expect(await shop.files()).toEqual(files);

  await shop.change({ orders: whole.filter(({ name }) => name !== '#3') });
  expect((await shop.run('close', '2026-10')).code).toBe(0);
});
