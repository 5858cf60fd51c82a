import { describe, expect, test } from 'vitest';
import { type Month, month, type Settings } from '../support/month.ts';

/** Three orders and a refund in October, one order of them in November; the shop shows some totals of its own. */
const shopThatShows = (expected: readonly Settings[]) =>
  month({
    orders: [
      { name: '#1' },
      { name: '#2', refundedOn: '2026-10-20' },
      { name: '#3', price: '40.00' },
      { name: '#4', at: '2026-11-02' },
    ],
    channel: { expected },
  });

const shopChecks = async (shop: Month) =>
  (await shop.rows('Checks'))
    .filter((row) => String(row['Check']).startsWith('X'))
    .map((row) => [row['Check'], row['Left'], row['Right'], row['Result']]);

describe('totals that the shop itself shows', () => {
  test('are compared with the exports of the period, and are a check each', async () => {
    const shop = await shopThatShows([
      { period: '2026-10', orders: 3, refunds: 1, gross: '140.00', tax: '15.05' },
      { period: '2026-11', orders: 9 },
    ]);
    expect((await shop.close()).exit_code).toBe(0);
    expect(await shopChecks(shop)).toEqual([
      ['X01', 3, 3, 'PASS'],
      ['X02', 1, 1, 'PASS'],
      ['X03', 140, 140, 'PASS'],
      ['X04', 15.05, 15.05, 'PASS'],
    ]);
  });

  test('that the exports do not come to fail the close', async () => {
    const shop = await shopThatShows([{ period: '2026-10', orders: 4, tax: '25.05' }]);
    const figures = await shop.close();
    expect([figures.exit_code, figures.readiness.ready]).toEqual([1, false]);
    expect(figures.exceptions.filter(({ code }) => code.startsWith('expected-'))).toMatchObject([
      {
        code: 'expected-orders',
        record: 'shopify 2026-10',
        severity: 'error',
        message: 'orders of shopify: 4 by the shop, and 3 by its exports',
      },
      {
        code: 'expected-tax',
        message: 'tax of shopify: 25.05 by the shop, and 15.05 by its exports',
        effect: '-10.00',
      },
    ]);
    expect(await shopChecks(shop)).toEqual([
      ['X01', 4, 3, 'FAIL'],
      ['X02', 25.05, 15.05, 'FAIL'],
    ]);
  });
});
