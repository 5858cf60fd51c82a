import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorsOf, messagesOf } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';

/** Copies a line of the published form into decisions.csv, answered. */
const answer = async (shop: Month, code: string, verdict: string): Promise<void> => {
  const form = await readFile(join(shop.out(), 'open-items.csv'), 'utf8');
  const key = new RegExp(`2026-10 ${code} of [^",]+ as [0-9a-f]{16}`).exec(form)?.[0];
  expect(key).toBeDefined();
  await shop.write('decisions.csv', `key,decision,why,by,on\n${key},${verdict},a test,Ann,2026-11-02\n`);
};

test('a record of the service that no posted sale stands for stays where that is the answer; another content is asked about again', async () => {
  const shop = await month({ orders: [{ name: '#1' }, { name: '#2', price: '50.00' }] });
  await shop.close();
  await shop.change({ orders: [{ name: '#1' }, { name: '#2', price: '50.00', status: 'voided' }] });
  expect(errorsOf(await shop.close())).toEqual(['recorded-not-posted 2']);
  await answer(shop, 'R20', 'keep');
  for (const figures of [await shop.close(), await shop.close()])
    expect(figures).toMatchObject({ exit_code: 0, submissions: { withdrawn: 0 } });
  expect(await shop.verify()).toEqual([]);
  await shop.change({ orders: [{ name: '#1' }] });
  const figures = await shop.close();
  expect([errorsOf(figures), messagesOf(figures, 'decision-without-line')]).toEqual([[], []]);
  await shop.service((own) => own.update('order', '2', { provider: 'shopify', customer_id: 'other' }));
  expect(errorsOf(await shop.close())).toEqual(['R20 2']);
});

test('a record under a day that no export states for its number is named, and put right where it is the same sale', async () => {
  const shop = await month({ orders: [{ name: '#1', at: '2026-10-20' }] });
  await shop.close();
  await shop.change({ orders: [{ name: '#1', at: '2026-10-03' }] });
  const figures = await shop.close();
  expect(errorsOf(figures)).toEqual(['number-in-use #1']);
  expect(messagesOf(figures, 'number-in-use')).toEqual([
    'the service has order 1 on 2026-10-20 with 10.75 tax, and no export states it on that day, so nothing was sent for order 1',
  ]);
  expect(figures.submissions).toMatchObject({ created: 0, updated: 0 });
  expect(await shop.verify()).toEqual([]);
  await answer(shop, 'number-in-use', 'same');
  expect(await shop.close()).toMatchObject({ exit_code: 0, submissions: { updated: 1 } });
  const books = await shop.files();
  const again = await shop.close();
  expect(again).toMatchObject({ exit_code: 0, submissions: { unchanged: 1 } });
  expect(messagesOf(again, 'decision-without-line')).toEqual([]);
  expect(await shop.files()).toEqual(books);
});
