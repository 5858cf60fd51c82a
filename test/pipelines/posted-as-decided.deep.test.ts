import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOf } from '../support/figures.ts';
import { month } from '../support/month.ts';

const ORDERS = 'orders.csv';

test('“Post” applies as soon as its period is corrected, and no longer than it names the right one', async () => {
  const shop = await month({
    orders: [{ name: '#1' }, { name: '#2', total: '111.75' }],
    settings: { decisions: ['decided.csv'] },
  });
  const closedWith = async (period: string) => {
    await shop.write(
      'decided.csv',
      `key,records,decision,why\n${period} total-differs of 2,#2,Post,a tip of 1.00\n`,
    );
    return (await shop.close()).totals['gross'];
  };
  expect(await closedWith('2026-09')).toBe('100.00');
  expect(await closedWith('2026-10')).toBe('200.00');
  expect(await closedWith('2026-09')).toBe('100.00');
});

test('an order of each of two shops has the same number: each is decided by its channel and number', async () => {
  const shop = await month({
    orders: [{ name: '#1', total: '111.75' }],
    settings: { decisions: ['decided.csv'] },
  });
  await shop.write('other.csv', (await shop.read(ORDERS)).replace('Oakland', 'Berkeley'));
  const decide = (...records: readonly string[]) =>
    shop.write(
      'decided.csv',
      [
        'key,records,decision,why',
        ...records.map((each) => `2026-10 total-differs of ${each},${each},Post,a tip`),
        '',
      ].join('\n'),
    );
  await decide();
  const channels = ['shopify', 'desk'].map((name, index) => ({
    name,
    profile: 'shopify.orders',
    files: [[ORDERS, 'other.csv'][index]],
  }));
  await shop.change({ settings: { decisions: ['decided.csv'], channels } });
  const closed = async () => {
    const figures = await shop.close();
    return [openOf(figures).filter(({ code }) => code === 'total-differs').length, figures.totals['gross']];
  };
  expect(await closed()).toEqual([2, '0.00']);
  expect(await readFile(join(shop.out(), 'open-items.csv'), 'utf8')).toContain('desk/1; shopify/1');
  await decide('1');
  expect(await closed()).toEqual([2, '0.00']);
  await decide('desk/1');
  expect(await closed()).toEqual([1, '100.00']);
  await decide('desk/1', 'shopify/1');
  expect(await closed()).toEqual([0, '200.00']);
  expect(await shop.verify()).toEqual([]);
});
