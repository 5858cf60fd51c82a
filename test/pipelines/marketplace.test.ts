import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { shippedProfiles } from '../../src/sales/load-profiles.ts';
import { month } from '../support/month.ts';

test('what a marketplace collects is its own to remit: nothing is expected of the seller, and nothing is asked', async () => {
  const shop = await month({
    orders: [{ name: '#1' }, { name: '#2', tax: '0.00' }],
    channel: { marketplace: true },
  });
  expect(await shop.close()).toMatchObject({
    exit_code: 0,
    calculations: { asked: 0, skipped: 2 },
    totals: { gross: '200.00', collected: '0.00', expected: '0.00', variance: '0.00' },
  });
  const [state] = await shop.rows('By state');
  expect([state?.['Gross'], state?.['Taxable'], state?.['Collected']]).toEqual([200, 0, 0]);
});

test('an order of which both collected tax is held, and the advice fits one that each remits in part', async () => {
  const shop = await month({ channel: { name: 'amazon', profile: 'amazon.sales-tax', files: ['tax.csv'] } });
  const columns = shippedProfiles().find(({ id }) => id === 'amazon.sales-tax')?.columns ?? [];
  const row = (
    order: string,
    item: string,
    collector: string,
    cells: Readonly<Record<string, string>> = {},
  ) => {
    const all: Readonly<Record<string, string>> = {
      Order_ID: order,
      Posted_Date: '2026-10-12',
      Transaction_Item_ID: item,
      Transaction_Type: 'Shipment',
      Tax_Collection_Model: collector,
      Quantity: '1',
      Currency: 'USD',
      TaxExclusive_Selling_Price: '100.00',
      Ship_To_City: 'Oakland',
      Ship_To_State: 'CA',
      Ship_To_Postal_Code: '94607',
      Tax_Amount: '10.75',
      ...cells,
    };
    return columns.map((column) => all[column] ?? '');
  };
  const write = (...rows: readonly string[][]) => shop.write('tax.csv', stringify([[...columns], ...rows]));
  await write(row('112-1', 'i1', 'MarketplaceFacilitator'), row('112-1', 'i2', 'Seller'));
  const { stdout } = await shop.run('close', '2026-10');
  expect(stdout).toContain('open R09 112-1');
  expect(stdout).toContain('give the rows of one of them an order number of their own in a copy of the file');

  await write(row('112-1', 'i1', 'MarketplaceFacilitator'), row('112-1b', 'i2', 'Seller'));
  expect(await shop.close()).toMatchObject({
    exit_code: 0,
    totals: { collected: '10.75', expected: '10.75' },
  });
});
