import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { sheetText } from '../support/sheets.ts';
import type { Order } from '../support/shop-exports.ts';

const ORDERS = 101;
const orders = Array.from(
  { length: ORDERS },
  (_, index): Order => ({
    name: `#${index + 1}`,
    at: `2026-10-${String((index % 4) + 1).padStart(2, '0')} 12:00:00 -0700`,
    price: '100.00',
    // Every tenth order was charged too little.
    tax: index % 10 === 0 ? '7.25' : '10.75',
  }),
);
const shopWith = (detailRows: number) => month({ orders, settings: { policy: { detailRows } } });

const listed = async (shop: Awaited<ReturnType<typeof shopWith>>) => {
  const files = [...(await shop.files())].filter(([path]) => path.startsWith('detail/'));
  return files.map(([path, bytes]) => ({
    path,
    rows: parse(bytes, { columns: true }) as Readonly<Record<string, string>>[],
  }));
};

test('with more rows than the policy lets Detail have, files by state and day list them, and Detail adds them up', async () => {
  const whole = await shopWith(ORDERS);
  const divided = await shopWith(ORDERS - 1);
  const figures = await whole.close();
  const others = await divided.close();
  expect(await listed(whole)).toEqual([]);
  const files = await listed(divided);
  expect(files.map(({ path, rows }) => [path, rows.length])).toEqual([
    ['detail/CA/2026-10-01.csv', 26],
    ['detail/CA/2026-10-02.csv', 25],
    ['detail/CA/2026-10-03.csv', 25],
    ['detail/CA/2026-10-04.csv', 25],
  ]);
  const wanted = await whole.rows('Detail');
  const found = files.flatMap(({ rows }) => rows);
  expect(found.map((row) => [row['Transaction'], row['Variance'], row['File and line']])).toEqual(
    wanted.map((row) => [
      String(row['Transaction']),
      Number(row['Variance']).toFixed(2),
      row['File and line'],
    ]),
  );
  const groups = await divided.rows('Detail');
  expect(groups.length).toBeLessThan(10);
  const sum = (rows: typeof groups, title: string) =>
    rows.reduce((total, row) => total + Math.round(100 * Number(row[title])), 0);
  expect(sum(groups, 'Sales')).toBe(100 * ORDERS);
  for (const title of ['Gross', 'Collected', 'Expected', 'Recorded', 'Variance', 'Reason amount'])
    expect([title, sum(groups, title)]).toEqual([title, sum(wanted, title)]);
  expect(others).toMatchObject({ exit_code: figures.exit_code });
  for (const sheet of ['By state', 'By_reason', 'Completeness'])
    expect(await divided.rows(sheet)).toEqual(await whole.rows(sheet));
  for (const shop of [whole, divided]) await shop.run('close', '2026-10', '--working-papers');
  const [sampled, wholly] = [divided, whole].map((shop) =>
    shop.rows('Sampling', '2026-10', 'working-papers'),
  );
  expect(await sampled).toEqual(await wholly);
});

test('the evidence vouches for these files, a further close leaves them as they are, and another limit takes them away', async () => {
  const shop = await shopWith(0);
  await shop.close();
  const before = await shop.files();
  expect(await shop.verify()).toEqual([]);
  await shop.close();
  expect(await shop.files()).toEqual(before);
  await shop.change({ settings: { policy: { detailRows: ORDERS } } });
  await shop.close();
  expect(await listed(shop)).toEqual([]);
  expect(await shop.verify()).toEqual([]);
  await shop.change({ settings: { policy: { detailRows: 0 } } });
  await shop.close();
  await appendFile(join(shop.out(), 'detail/CA/2026-10-02.csv'), 'one more row\n');
  expect((await shop.verify()).join()).toContain('detail/CA/2026-10-02.csv');
});

test('with more refunds than the policy lets Detail have rows, a file lists them', async () => {
  const refunds = ['#1', '#2'].map((order) => ({ order, at: '2026-10-20 12:00:00 -0700', amount: '50.00' }));
  const shop = await month({ orders, refunds, settings: { policy: { detailRows: 200 } } });
  await shop.close();
  const wanted = await shop.rows('Refunds');
  expect(wanted.length).toBe(2);
  await shop.change({ settings: { policy: { detailRows: 1 } } });
  await shop.close();
  const file = (await listed(shop)).find(({ path }) => path === 'detail/refunds.csv');
  expect(file?.rows.map((row) => [row['Refund'], row['Order'], row['Refunded']])).toEqual(
    wanted.map((row) => [row['Refund'], row['Order'], Number(row['Refunded']).toFixed(2)]),
  );
  expect(await sheetText(shop.book(), 'Exceptions')).toContain('detail/refunds.csv has its 2 rows.');
  expect(await shop.verify()).toEqual([]);
});
