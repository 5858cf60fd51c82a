import { expect, test } from 'vitest';
import { month, type Settings } from '../support/month.ts';

/** A till in New Jersey, where clothing (20010) is not taxed. */
const NEWARK = { country: 'US', state: 'NJ', zip: '07102', city: 'Newark', street: '1 Broad St' };
const SOLD = `Date,Time,Time Zone,Category,Item,Qty,SKU,Gross Sales,Discounts,Net Sales,Tax,Event Type,Transaction ID
2026-10-05,12:00:00,Eastern Time (US & Canada),Clothing,Organic Tee,1.0,TEE-1,$100.00,$0.00,$100.00,$0.00,Payment,T1
2026-10-06,12:00:00,Eastern Time (US & Canada),Mugs,Mug,1.0,MUG-1,$100.00,$0.00,$100.00,$6.63,Payment,T2
`;

const tillWith = async (...categories: readonly Settings[]) => {
  const shop = await month({
    channel: { files: ['till.csv'] },
    settings: {
      shipFrom: NEWARK,
      registrations: [{ state: 'NJ', since: '2019-01-01' }],
      categories,
    },
  });
  await shop.write('till.csv', SOLD);
  return shop;
};

const CLOTHING = '20010';

test.for([
  [{ sku: 'TEE-*' }, '6.63', 'by SKU'],
  [{ sku: 'TEE' }, '13.26', 'as a whole'],
  [{ name: '*tee' }, '6.63', 'by name, capitals or not'],
  [{ category: 'clothing' }, '6.63', 'by the category of the channel'],
  [{ name: '*', category: 'Kleidung' }, '13.26', 'where every pattern fits'],
] as const)('with %j %s is due: %s', async ([said, due]) => {
  const shop = await tillWith({ ...said, code: CLOTHING }, { name: '*', code: '81100' });
  expect((await shop.close()).totals['expected']).toBe(due);
});

test.for([
  [{}, 'must have sku, name or category'],
  [{ category: '' }, '.category: must have at least 1 character'],
  [{ kategorie: 'Kleidung' }, 'kategorie'],
  [{ name: 'MUG' }, 'has two codes'],
] as const)('%j is refused: %s', async ([said, rule]) => {
  const shop = await tillWith({ ...said, code: CLOTHING }, { name: 'mug', code: '81100' });
  const { code, stderr } = await shop.run('close', '2026-10');
  expect([code, stderr]).toEqual([78, expect.stringContaining(rule)]);
});

test('a category of the channel is said to fit nothing where its export has none', async () => {
  const shop = await month({
    orders: [{ name: '#1' }],
    settings: { categories: [{ category: 'Clothing', code: '20010' }] },
  });
  const [input] = (await shop.close()).inputs;
  expect(input?.notices).toMatchObject([{ code: 'no-category-column' }]);
});
