import { appendFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';

/** Two months of a shop, both closed. */
const closed = async () => {
  const shop = await month({ orders: [{ name: '#1' }, { name: '#2', at: '2026-11-01' }] });
  const first = await shop.close();
  await shop.close('2026-11');
  return { shop, first };
};

/** Whether a close only tells what an earlier one noted: another one notes it anew. */
const isUnchanged = async (shop: Month, ...args: readonly string[]): Promise<boolean> => {
  const told = join(shop.folder, '.tieout', 'closed', 'shop', '2026-10-told.json');
  const notedAt = async (): Promise<number> => (await stat(told).catch(() => undefined))?.mtimeMs ?? 0;
  const before = await notedAt();
  await shop.run('close', '2026-10', ...args);
  return before > 0 && before === (await notedAt());
};

describe('a close of which nothing has changed', () => {
  test('tells what the last one told, and writes nothing', async () => {
    const { shop, first } = await closed();
    const books = await shop.files();
    expect(await shop.close()).toEqual({
      ...first,
      calculations: { ...first.calculations, asked: 0 },
      submissions: { ...first.submissions, created: 0, unchanged: 1 },
    });
    expect(await shop.files()).toEqual(books);
    expect(await isUnchanged(shop)).toBe(true);
  });

  test.for<readonly [string, (shop: Month) => Promise<unknown>]>([
    ['an export', (shop) => appendFile(join(shop.folder, 'orders.csv'), '\n')],
    ['a table beside the exports', (shop) => shop.write('notes.csv', 'a,b\n')],
    ['a decision', (shop) => shop.write('decisions.csv', 'key,decision,why,by,on\n')],
    ['the configuration', (shop) => shop.change({ settings: { name: 'Other' } })],
    ['a file of the folder', (shop) => rm(shop.book())],
    ['the note of what it told', (shop) => rm(join(shop.folder, '.tieout', 'closed'), { recursive: true })],
    [
      'a record of its days',
      (shop) =>
        shop.service((own) => own.update('order', '1', { provider: 'shopify', customer_id: 'other' })),
    ],
  ])('is none after a change of %s', async ([, change]) => {
    const { shop } = await closed();
    await change(shop);
    expect(await isUnchanged(shop)).toBe(false);
  });

  test('is one after the close of another month has written on its last day', async () => {
    const { shop } = await closed();
    const orders = [{ name: '#1' }, { name: '#2', at: '2026-11-01' }];
    await shop.change({ orders: [...orders, { name: '#3', at: '2026-11-01' }] });
    await shop.run('close', '2026-10');
    await shop.run('close', '2026-11');
    expect(await isUnchanged(shop)).toBe(true);
  });
});
