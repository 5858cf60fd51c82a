import { expect, test } from 'vitest';
import type { LoggedLine } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { CATEGORIES } from '../support/random-orders.ts';
import { SEATTLE } from '../support/shop-exports.ts';

const SETTINGS = { registrations: [{ state: 'WA', since: '2019-01-01' }], categories: CATEGORIES };

/** 100.00 of goods and 20.00 of groceries, which are not taxed, sold nine times to Seattle. */
const nineTimes = (tax: string) =>
  month({
    settings: SETTINGS,
    orders: Array.from({ length: 9 }, (_, at) => ({
      name: `#${at + 1}`,
      to: SEATTLE,
      tax,
      lines: [
        { sku: 'GEN-1', quantity: 1, price: '100.00' },
        { sku: 'GRO-1', quantity: 1, price: '20.00' },
      ],
    })),
  });

test.for([
  ['12.66', 'R05 211 recomputed with category 40030 taxed in full: 12.66', 'an error to the cent'],
  ['12.50', 'R99 195 no recomputation', 'nothing: copies agree on whatever rate their amount fits'],
] as const)('copies of one sale with %s of tax are explained by %s: %s', async ([tax, reason]) => {
  const shop = await nineTimes(tax);
  await shop.close();
  const logged = await shop.sales<LoggedLine>();
  const reasons = logged.flatMap(({ reconciled }) => reconciled.reasons);
  expect(reasons).toHaveLength(9);
  for (const { code, amount, proof } of reasons) expect(`${code} ${amount} ${proof}`).toContain(reason);
});
