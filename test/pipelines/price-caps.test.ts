import { expect, test } from 'vitest';
import { type Month, month } from '../support/month.ts';

/** What a close says of each order, and how it proves that. */
const reasonsOf = async (shop: Month): Promise<readonly string[]> => {
  await shop.close();
  const rows = await shop.rows('Detail');
  return rows
    .map((row) => `${row['Transaction']} ${row['Reason']} ${row['Reason amount']}: ${row['Proof']}`)
    .sort();
};

const MIAMI = { city: 'Miami', zip: '33133', state: 'FL' };

test('a cap of local tax that the shop does not know is a price rule, and no category', async () => {
  const shop = await month({
    settings: {
      registrations: [{ state: 'FL', since: '2020-01-01' }],
      categories: [{ sku: 'FUR-*', code: '99999' }],
    },
    orders: [
      { name: '#1', to: MIAMI, price: '6000.00', tax: '420.00' },
      {
        ...{ name: '#2', to: MIAMI, tax: '910.00' },
        lines: [
          { sku: 'GEN-1', quantity: 1, price: '6000.00' },
          { sku: 'GEN-2', quantity: 1, price: '7000.00' },
        ],
      },
    ],
  });
  expect(await reasonsOf(shop)).toEqual([
    '1 R21 10: recomputed without caps on prices: 420.00',
    '2 R21 30: recomputed without caps on prices: 910.00',
  ]);
});

test('nor is a cap of local tax together with a band of the state', async () => {
  const knoxville = { city: 'Knoxville', zip: '37902', state: 'TN' };
  const shop = await month({
    settings: { registrations: [{ state: 'TN', since: '2020-01-01' }] },
    orders: [
      { name: '#1', to: knoxville, price: '3000.00', tax: '277.50' },
      {
        ...{ name: '#2', to: knoxville, tax: '555.00' },
        lines: [
          { sku: 'GEN-1', quantity: 1, price: '3000.00' },
          { sku: 'GEN-2', quantity: 1, price: '3000.00' },
        ],
      },
    ],
  });
  // 7 % and 2.25 % of all, in place of 7 %, 2.75 % between 1,600.00 and 3,200.00, and 2.25 % of 1,600.00.
  expect(await reasonsOf(shop)).toEqual([
    '1 R21 -7: recomputed without caps on prices: 277.50',
    '2 R21 -14: recomputed without caps on prices: 555.00',
  ]);
});
