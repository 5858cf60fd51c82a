import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { shippedProfiles } from '../../src/sales/load-profiles.ts';
import { openOf } from '../support/figures.ts';
import { month } from '../support/month.ts';

const ORDERS = 'orders.csv';

/** A shop on Etsy with one order of 100.00 in Oakland, sold in person, and 10.75 of tax. */
const soldInPerson = async (cells: Readonly<Record<string, string>> = {}) => {
  const shop = await month({ channel: { name: 'etsy', profile: 'etsy.orders', files: ['etsy.csv'] } });
  const columns = shippedProfiles().find(({ id }) => id === 'etsy.orders')?.columns ?? [];
  const row: Readonly<Record<string, string>> = {
    ...{ 'Sale Date': '10/03/26', 'Order ID': '3550100001', Currency: 'USD', 'InPerson Location': 'Fair' },
    ...{ 'Street 1': '400 Grand Ave', 'Ship City': 'Oakland', 'Ship State': 'CA', 'Ship Zipcode': '94607' },
    ...{ 'Ship Country': 'United States', 'Order Value': '100.00', 'Discount Amount': '0.00' },
    ...{ 'Shipping Discount': '0.00', Shipping: '0.00', 'Sales Tax': '10.75', 'Order Total': '110.75' },
    ...cells,
  };
  const sell = (changed: Readonly<Record<string, string>> = {}) =>
    shop.write(
      'etsy.csv',
      stringify([[...columns], columns.map((column) => changed[column] ?? row[column] ?? '')]),
    );
  await sell();
  const post = async (...codes: readonly string[]) => {
    const lines = codes.map((code) => `2026-10 ${code} of 3550100001,3550100001,Post,asked the seller`);
    await shop.write('decided.csv', ['key,records,decision,why', ...lines, ''].join('\n'));
    await shop.change({ settings: { decisions: ['decided.csv'] } });
    return shop.close();
  };
  return { ...shop, sell, post };
};

test('“Post” answers that the seller remits the tax of a sale in person on a marketplace', async () => {
  const shop = await soldInPerson();
  expect(openOf(await shop.close())).toMatchObject([{ code: 'in-person' }]);
  expect(await shop.post('in-person')).toMatchObject({
    exit_code: 0,
    totals: { gross: '100.00', collected: '10.75', expected: '10.75', recorded: '10.75' },
  });
});

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
