import { expect, test } from 'vitest';
import { month } from '../support/month.ts';
import { LAS_VEGAS, type Order, SEATTLE } from '../support/shop-exports.ts';

/** A month whose orders with the status "pending" have one that no profile knows. */
const withUnknownStatus = async (
  orders: readonly Order[],
  edit: (export_: string) => string = (text) => text,
) => {
  const shop = await month({
    orders,
    settings: {
      registrations: [
        { state: 'CA', since: '2019-01-01' },
        { state: 'WA', since: '2019-01-01' },
      ],
    },
  });
  const text = await shop.read('orders.csv');
  await shop.write('orders.csv', edit(text.replaceAll('pending', 'settled')));
  await shop.close();
  const pay = await shop.rows('Pay', '2026-10', 'filing-summary');
  return {
    ...shop,
    pay: pay.map((row) => [row['State'], row['Status'], row['Could change by at most, before discount']]),
    exceptions: (await shop.rows('Exceptions')).filter((row) => row['Code'] === 'unmapped-status'),
  };
};

const PAID: Order = { name: '#1' };
const MUG = { sku: 'MUG', quantity: 1, price: '20.00' };

test('a rejected row has the tax and the state that it states, and keeps open the return of that state alone', async () => {
  const { pay, exceptions, verify } = await withUnknownStatus([
    PAID,
    { name: '#2', status: 'pending', tax: '10.35', to: SEATTLE },
  ]);
  expect(exceptions).toMatchObject([{ State: 'WA', 'Effect on tax': 10.35 }]);
  expect(pay).toEqual([
    ['WA', '✕ BLOCKED', 10.35],
    ['CA', '✓ TO FILE', 0],
  ]);
  expect(await verify()).toEqual([]);
});

test('a row without its order stands in the month of its own date, and leaves other months alone', async () => {
  const shop = await month({
    orders: [PAID, { name: '#2', at: '2026-09-20', lines: [MUG, MUG] }],
  });
  const [header = '', first = '', , second = ''] = (await shop.read('orders.csv')).split('\n');
  await shop.write('orders.csv', `${[header, second, first].join('\n')}\n`);
  await shop.close('2026-09');
  await shop.close();
  expect(await shop.rows('Exceptions')).not.toContainEqual(expect.objectContaining({ Code: 'orphan-row' }));
  const pay = await shop.rows('Pay', '2026-10', 'filing-summary');
  expect(pay).toMatchObject([{ State: 'CA', Status: '✓ TO FILE' }]);
  expect(await shop.rows('Exceptions', '2026-09')).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ Code: 'orphan-row', Record: '2', Decision: 'open' })]),
  );
  expect(await shop.verify()).toEqual([]);
});

test('tax in another currency, and a place that cannot be read, are not taken as they stand', async () => {
  const { exceptions } = await withUnknownStatus([
    PAID,
    { name: '#2', status: 'pending', currency: 'EUR', to: SEATTLE },
    { name: '#3', status: 'pending', tax: '1.00', to: { ...LAS_VEGAS, state: 'Nowhere' } },
  ]);
  expect(exceptions.map((row) => [row['State'], row['Effect on tax']])).toEqual([
    ['WA', 'unknown'],
    [null, 1],
  ]);
});
