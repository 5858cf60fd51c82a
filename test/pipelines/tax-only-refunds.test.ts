import { describe, expect, test } from 'vitest';
import { type LineItem, lineItemsExport } from '../support/line-items.ts';
import { type Month, month } from '../support/month.ts';

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
