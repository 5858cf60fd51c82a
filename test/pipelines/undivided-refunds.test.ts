import { describe, expect, test } from 'vitest';
import { openOf } from '../support/figures.ts';
import { type LineItem, lineItemsExport } from '../support/line-items.ts';
import { type Month, month } from '../support/month.ts';

/** A shop that gave back 20.00 of its one order of 110.75, which its export does not divide. */
const shopWith = (policy: object) =>
  month({
    settings: { policy },
    orders: [{ name: '#1', status: 'partially_refunded', refunded: '20.00' }],
    refunds: [{ order: '#1', at: '2026-10-20', amount: '20.00' }],
  });

test('a dated part that an export does not divide is divided as its order is, recorded, explained and proven, where the policy says so', async () => {
  const shop = await shopWith({ undividedRefunds: 'prorate' });
  const figures = await shop.close();
  expect(figures).toMatchObject({
    exit_code: 0,
    submissions: { created: 2 },
    totals: { collected: '8.81', recorded: '8.81' },
  });
  expect(await shop.records('shopify')).toContain('refund 1-refund -18.06 -1.94');
  expect(figures.exceptions.map(({ code }) => code)).toContain('refund-prorated');
  expect(await shop.verify()).toEqual([]);
});

const NEW_YORK = { city: 'New York', zip: '10001', state: 'NY' };
const settings = {
  registrations: ['NY', 'PA'].map((state) => ({ state, since: '2019-01-01' })),
  categories: [{ sku: 'CLO-*', code: '20010' }],
};

describe('a part of an order is taxed as that part of it', () => {
  // Clothes below 110.00 are not taxed in New York City. Half of a coat of 150.00 is half of a taxed coat.
  const coat = { name: '#1', to: NEW_YORK, lines: [{ sku: 'CLO-1', quantity: 1, price: '150.00' }] };

  test('where the policy divides it', async () => {
    const shop = await month({
      settings: { ...settings, policy: { undividedRefunds: 'prorate' } },
      orders: [{ ...coat, tax: '13.31', status: 'partially_refunded', refunded: '81.66' }],
      refunds: [{ order: '#1', amount: '81.66' }],
    });
    expect(await shop.close()).toMatchObject({
      exit_code: 0,
      totals: { collected: '6.65', expected: '6.65' },
    });
    expect(await shop.verify()).toEqual([]);
  });
});

describe('several refunds of an order with rows of their own', () => {
  // Of four pieces at 10.06, 8 % are 3.22: three refunds give 0.80 back, and the last one the rest, 0.82.
  const to = { to_state: 'GA', to_zip: '31201', to_city: 'Macon', item_product_identifier: 'CUP' };
  const ordered: LineItem = {
    ...{ ...to, transaction_id: '1', transaction_date: '2026-10-02', total_sales_tax: '3.22' },
    ...{ item_quantity: '4', item_unit_price: '10.06' },
  };
  const refund = (id: string, day: string, tax: string): LineItem => ({
    ...{ ...to, transaction_id: id, transaction_reference_id: '1', transaction_date: day },
    ...{ item_unit_price: '-10.06', total_sales_tax: `-${tax}` },
  });
  const [first, second, third, last] = [
    refund('1-d', '2026-10-10', '0.80'),
    refund('1-c', '2026-10-11', '0.80'),
    refund('1-b', '2026-10-12', '0.80'),
    refund('1-a', '2026-11-02', '0.82'),
  ] as const;
  const shown = async (shop: Month, period: string) =>
    (await shop.detail(period)).map(
      (each) => `${each['Transaction']}: ${each['Expected']} ${each['Reason']} ${each['Reason amount']}`,
    );

  test('give back its tax to the cent, and the last one is explained', async () => {
    const channels = [{ name: 'shop', files: ['*.csv'] }];
    const shop = await month({
      settings: { registrations: [{ state: 'GA', since: '2019-01-01' }], channels },
    });
    await shop.write('all.csv', lineItemsExport([last, second, first, third, ordered]));
    expect((await shop.close('2026-10')).exit_code).toBe(0);
    expect(openOf(await shop.close('2026-11')).map(({ code }) => code)).toEqual(['no-sales']);
    expect([...(await shown(shop, '2026-10')), ...(await shown(shop, '2026-11'))].sort()).toEqual([
      '1-a: -0.81 R01 -0.01',
      '1-b: -0.8 null null',
      '1-c: -0.81 R01 0.01',
      '1-d: -0.8 null null',
      '1: 3.22 null null',
    ]);
    expect(await shop.verify('2026-11')).toEqual([]);
  });
});
