import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { shippedProfiles } from '../../src/close/sales/shipped-profiles.ts';
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
  await shop.write('etsy.csv', stringify([[...columns], columns.map((column) => row[column] ?? '')]));
  const post = async (...codes: readonly string[]) => {
    const lines = codes.map((code) => `2026-10 ${code} of 3550100001,3550100001,Post,asked the seller`);
    await shop.write('decided.csv', ['key,records,decision,why', ...lines, ''].join('\n'));
    await shop.change({ settings: { decisions: ['decided.csv'] } });
    return shop.close();
  };
  return { ...shop, post };
};

test('“Post” answers that the seller remits the tax of a sale in person on a marketplace', async () => {
  const shop = await soldInPerson();
  expect(openOf(await shop.close())).toMatchObject([{ code: 'in-person' }]);
  expect(await shop.post('in-person')).toMatchObject({
    exit_code: 0,
    totals: { gross: '100.00', collected: '10.75', expected: '10.75', recorded: '10.75' },
  });
});

test('“Post” of one reason leaves the sale held for the other, which is asked next', async () => {
  const shop = await soldInPerson({ 'Order Total': '111.75' });
  expect(openOf(await shop.close())).toMatchObject([{ code: 'total-differs' }]);
  const half = await shop.post('total-differs');
  expect(half).toMatchObject({ totals: { gross: '0.00' } });
  expect(openOf(half)).toMatchObject([{ code: 'in-person' }]);
  expect(await shop.post('total-differs', 'in-person')).toMatchObject({
    exit_code: 0,
    totals: { gross: '100.00', collected: '10.75' },
  });
});

test('“Post” of an order whose lines do not add up, one of them below nothing', async () => {
  const shop = await month({
    orders: [{ name: '#1', price: '101.00', tax: '10.86' }],
    settings: { decisions: ['decided.csv'] },
  });
  await shop.write('decided.csv', 'key,records,decision,why\n');
  const [header = [], row = []] = parse(await shop.read(ORDERS)) as string[][];
  const cells = (own: readonly string[], changed: Readonly<Record<string, string>>) =>
    header.map((column, index) => changed[column] ?? own[index] ?? '');
  const coupon = {
    Name: '#1',
    'Lineitem quantity': '1',
    'Lineitem name': 'Coupon',
    'Lineitem price': '-5.00',
  };
  await shop.write(
    ORDERS,
    stringify([header, cells(row, { 'Lineitem price': '100.00' }), cells([], coupon)]),
  );
  expect(openOf(await shop.close())).toMatchObject([{ code: 'lines-differ' }]);
  await shop.write(
    'decided.csv',
    'key,records,decision,why\n2026-10 lines-differ of 1,#1,Post,a fee of 6.00\n',
  );
  expect(await shop.close()).toMatchObject({ totals: { gross: '101.00', collected: '10.86' } });
});
