import { describe, expect, test } from 'vitest';
import { errorsOf, type Figures } from '../support/figures.ts';
import { type Month, type MonthData, month } from '../support/month.ts';
import type { Order, Refund } from '../support/shop-exports.ts';

/** Put these files into the shop in place of what was there, and close a month. */
const closeWith = async (shop: Month, files: MonthData, period: string): Promise<Figures> => {
  await shop.change({ refunds: {}, ...files });
  return shop.close(period);
};

const ONE: Order = { name: '#1' };
const TWO: Order = { name: '#2' };
const FULL: Refund = { order: '#1', at: '2026-11-05' };

describe('what the exports say over time', () => {
  test('a refund whose order came with an earlier month’s export is the mirror of that order', async () => {
    const shop = await month();
    await closeWith(shop, { orders: { 'oct.csv': [ONE] } }, '2026-10');
    const november = await closeWith(
      shop,
      {
        orders: {
          'oct.csv': [{ ...ONE, status: 'refunded', refunded: '110.75' }],
          'nov.csv': [{ ...TWO, at: '2026-11-03' }],
        },
        refunds: { 'novp.csv': [FULL] },
      },
      '2026-11',
    );
    expect([november.states[0]?.orders, november.states[0]?.refunds, november.states[0]?.collected]).toEqual([
      1,
      1,
      '0.00',
    ]);
    expect([november.exit_code, errorsOf(november)]).toEqual([0, []]);
  });

  test('an order that is voided later is not a sale any more, and its record in the service is an exception', async () => {
    const shop = await month();
    await closeWith(shop, { orders: { 'oct.csv': [ONE, TWO] } }, '2026-10');
    const again = await closeWith(
      shop,
      { orders: { 'oct.csv': [{ ...ONE, status: 'voided' }, TWO] } },
      '2026-10',
    );
    expect([again.exit_code, again.states[0]?.orders, errorsOf(again)]).toEqual([
      1,
      1,
      ['recorded-not-posted 1'],
    ]);
  });

  test('a refund without its order becomes the mirror when the order arrives', async () => {
    const shop = await month();
    const november: Order = { ...TWO, at: '2026-11-03' };
    const stray = await closeWith(
      shop,
      { orders: { 'nov.csv': [november] }, refunds: { 'p.csv': [FULL] } },
      '2026-11',
    );
    expect(errorsOf(stray)).toEqual(['R14 1']);
    const joined = await closeWith(
      shop,
      {
        orders: { 'nov.csv': [november], 'oct.csv': [{ ...ONE, status: 'refunded', refunded: '110.75' }] },
        refunds: { 'p.csv': [FULL] },
      },
      '2026-11',
    );
    expect([joined.exit_code, errorsOf(joined), joined.states[0]?.refunds]).toEqual([0, [], 1]);
  });
});
