import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { OAKLAND, type Order } from '../support/shop-exports.ts';
import { centsOf, dollars, taxAt } from './gap-month.ts';

const ORDERS = 280;
const LISTED = 250;
const SHIPPING = 995;

const GOODS = Array.from({ length: ORDERS }, (_, index) => 2_000 + 37 * index);
const VARIANCE = GOODS.reduce(
  (total, cents) => total + taxAt(cents + SHIPPING, 10_750) - taxAt(cents, 10_750),
  0,
);

/** Oakland taxes goods at 10.75 % and no shipping; this shop taxes both. */
const orders = GOODS.map((cents, index): Order => {
  return {
    ...{ name: `#${index + 1}`, at: '2026-10-05', to: OAKLAND, price: dollars(cents) },
    ...{ shipping: dollars(SHIPPING), tax: dollars(taxAt(cents + SHIPPING, 10_750)) },
  };
});

test('a cause of many records is listed with its largest ones, and one line stands for all others', async () => {
  const shop = await month({ orders });
  const figures = await shop.close();
  expect(figures.reasons).toMatchObject([{ code: 'R06', sales: ORDERS }]);
  expect(figures.clusters).toMatchObject([{ code: 'R06', records: ORDERS, effect: dollars(VARIANCE) }]);
  const rows = await shop.rows('Exceptions');
  expect(rows).toHaveLength(LISTED + 1);
  expect(rows.at(-1)?.['What']).toMatch(
    new RegExp(`^${ORDERS - LISTED} more of this cause with smaller effects, \\d+\\.\\d\\d in all`),
  );
  expect(rows.reduce((total, row) => total + centsOf(String(row['Effect on tax'])), 0)).toBe(VARIANCE);
  expect(await shop.read('out/shop/2026-10/open-items.csv')).toContain(`${ORDERS} records`);
  expect((await shop.manifest()).content).toMatchObject({ exceptions: { open: 0, seen: ORDERS } });
  expect(await shop.verify()).toEqual([]);
});
