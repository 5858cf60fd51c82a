import { describe, expect, test } from 'vitest';
import { errorsOf } from '../support/figures.ts';
import { type LineItem, lineItemsExport } from '../support/line-items.ts';
import { type Month, month } from '../support/month.ts';
import type { Refund, TemplateRow } from '../support/shop-exports.ts';

const back = (name: string, price: string): TemplateRow => ({ name, price, refundOf: '1', at: '2026-10-20' });
const paid = (amount: string, at = '2026-10-20'): Refund => ({ order: '1', at, amount });

const OLDER: TemplateRow = { name: '1', at: '2026-09-10' };

describe('a refund that an export and the payments tell counts once', () => {
  test.for([
    ['all of an order', [back('1-r', '100.00')], [paid('110.75')]],
    ['a part of it', [back('1-r', '40.00')], [paid('44.30')]],
    ['a part that was paid two days later', [back('1-r', '40.00')], [paid('44.30', '2026-10-22')]],
    ['two parts in one payment', [back('1-r', '20.00'), back('1-s', '20.00')], [paid('44.30')]],
    ['one part in two payments', [back('1-r', '40.00')], [paid('22.15'), paid('22.15', '2026-10-21')]],
  ] as const)('%s', async ([, refunds, payments]) => {
    const given = refunds.reduce((sum, { price }) => sum + Number(price), 0);
    const shop = await month({ template: [OLDER], refunds: [] });
    await shop.close('2026-09');
    await shop.change({ template: [{ name: '3' }, ...refunds], refunds: payments });
    const figures = await shop.close();
    expect(errorsOf(figures)).toEqual([]);
    expect(figures.totals['gross']).toBe((100 - given).toFixed(2));
  });
});

const settings = { registrations: [{ state: 'CA', since: '2019-01-01' }] };

test('a refund that gives back no tax of a taxed order has a reason of its own', async () => {
  const shop = await month({
    settings,
    template: [
      { name: '1' },
      { name: '1-r', refundOf: '1', tax: '0.00', at: '2026-10-12' },
      // Neither this order nor its refund has any tax: together they come to nothing.
      { name: '2', tax: '0.00' },
      { name: '2-r', refundOf: '2', tax: '0.00', at: '2026-10-12' },
      { name: '3' },
      { name: '3-r', refundOf: '3', price: '40.00', tax: '0.00', at: '2026-10-12' },
    ],
  });
  const figures = await shop.close();
  const reasons = (await shop.detail()).flatMap((row) =>
    row['Reason'] === null
      ? []
      : [`${row['Transaction']} ${row['Reason']} ${row['Reason amount']}: ${row['Proof']}`],
  );
  expect(reasons.sort()).toEqual([
    '1-r R29 10.75: its order was charged 10.75, and 10.75 of it was to be given back',
    '2 R11 -10.75: nexus in the destination; 10.75 was due',
    '2-r R11 10.75: nexus in the destination; 10.75 was due',
    '3-r R29 4.3: its order was charged 10.75, and 4.30 of it was to be given back',
  ]);
  expect(figures.clusters.map(({ code, effect }) => `${code} ${effect}`)).toEqual(['R11 0.00', 'R29 15.05']);
  const decided = await shop.read('out/shop/2026-10/open-items.csv');
  expect(decided).toMatch(/^D01,2026-10 R29 in CA,.*,Accept,,/m);
  expect(await shop.verify()).toEqual([]);
});

const PHILADELPHIA = { to_state: 'PA', to_zip: '19103', to_city: 'Philadelphia' };

/** A shirt, which is not taxed in Pennsylvania, and was charged 8 %. */
const shirt = (id: string, cells: LineItem = {}): LineItem => ({
  ...{ ...PHILADELPHIA, transaction_id: id, item_product_identifier: 'CLO-1' },
  ...{ item_unit_price: '100.00', total_sales_tax: '8.00', ...cells },
});

const taxOf = (order: string, tax: string, id = `${order}-R`, on = '2026-10-12'): LineItem =>
  shirt(id, {
    ...{ transaction_reference_id: order, transaction_date: on },
    ...{ item_unit_price: '0.00', total_sales_tax: `-${tax}` },
  });

const shopWith = async (...rows: readonly LineItem[]): Promise<Month> => {
  const shop = await month({
    settings: {
      registrations: [{ state: 'PA', since: '2019-01-01' }],
      categories: [{ sku: 'CLO-*', code: '20010' }],
      channels: [{ name: 'shop', files: ['lines.csv'] }],
    },
  });
  await shop.write('lines.csv', lineItemsExport(rows));
  return shop;
};

const reasonsOf = async (shop: Month) =>
  (await shop.detail())
    .map((row) => `${row['Transaction']}: ${row['Expected']} ${row['Reason']} ${row['Reason amount']}`)
    .sort();

describe('a refund of tax alone', () => {
  test('has the reason for which its order was charged too much', async () => {
    const shop = await shopWith(shirt('P1'), taxOf('P1', '8.00'));
    const figures = await shop.close();
    expect(await reasonsOf(shop)).toEqual(['P1-R: 0 R05 -8', 'P1: 0 R05 8']);
    expect(figures).toMatchObject({ exit_code: 0, totals: { collected: '0.00', expected: '0.00' } });
    expect(await shop.verify()).toEqual([]);
  });

  test('may give back a part of it, also in a later month, and not more than is left', async () => {
    const shop = await shopWith(
      shirt('P1', { transaction_date: '2026-09-10' }),
      taxOf('P1', '5.00', 'P1-A', '2026-10-12'),
      taxOf('P1', '3.00', 'P1-B', '2026-10-13'),
      taxOf('P1', '0.50', 'P1-C', '2026-10-14'),
    );
    await shop.close();
    expect(await reasonsOf(shop)).toEqual(['P1-A: 0 R05 -5', 'P1-B: 0 R05 -3', 'P1-C: 0 R99 -0.5']);
  });

  test('of an order that was charged what was due is not explained', async () => {
    const mug = { item_product_identifier: 'GEN-MUG' };
    const shop = await shopWith(
      shirt('P1', mug),
      taxOf('P1', '8.00'),
      // The goods came back without their tax, and then the tax.
      shirt('P2', mug),
      shirt('P2-A', {
        ...{ ...mug, transaction_reference_id: 'P2', transaction_date: '2026-10-11' },
        ...{ item_unit_price: '-100.00', total_sales_tax: '0.00' },
      }),
      taxOf('P2', '8.00', 'P2-B'),
    );
    await shop.close();
    expect(await reasonsOf(shop)).toEqual([
      'P1-R: 0 R99 -8',
      'P1: 8 null null',
      'P2-A: -8 R29 8',
      'P2-B: 0 R99 -8',
      'P2: 8 null null',
    ]);
  });
});
