import { expect, test } from 'vitest';
import { month, type Settings } from '../support/month.ts';
import { ownContent } from '../support/own-content.ts';
import type { Order } from '../support/shop-exports.ts';

const orders: readonly Order[] = [
  { name: '#1', to: { city: 'Birmingham', zip: '35203', state: 'AL' }, price: '50.00', tax: '4.00' },
  { name: '#2', to: { city: 'Houston', zip: '77002', state: 'TX' }, price: '50.00', tax: '4.00' },
  // The content has no local rate of Marfa, where the state's is 6.25 %.
  { name: '#3', to: { city: 'Marfa', zip: '79843', state: 'TX' }, price: '50.00', tax: '3.13' },
];

const registered = (oneRate: boolean) => ({
  registrations: ['AL', 'TX'].map((state) => ({ state, since: '2019-01-01', ...(oneRate && { oneRate }) })),
});

test('a shop with the one rate of a state ties out once its seller has said so, also after a first close', async () => {
  const shop = await month({ orders, settings: registered(false) });
  expect((await shop.close()).totals).toMatchObject({
    collected: '11.13',
    expected: '12.26',
    variance: '-1.13',
  });
  await shop.change({ settings: registered(true) });
  const { totals, reasons } = await shop.close();
  expect(totals).toMatchObject({ collected: '11.13', expected: '12.00', variance: '-0.87' });
  expect(reasons).toMatchObject([{ code: 'R02', sales: 1 }]);
  await shop.change({ orders: [...orders.slice(0, 2), { ...orders[2], name: '#3', tax: '4.00' }] });
  const right = await shop.close();
  expect(right.totals).toMatchObject({ expected: '12.00', variance: '0.00' });
  expect(right.exit_code).toBe(0);
});

test('a rate that is mended in a content folder under the same version is computed with', async () => {
  const shop = await month({ orders: [{ name: '#1' }] });
  const { content, raiseCalifornia } = await ownContent(shop.folder);
  const closed = async () => {
    const { totals, calculations } = await shop.close('2026-10', '--content', content);
    const { service } = (await shop.manifest()).content;
    return { expected: totals['expected'], asked: calculations['asked'], service };
  };
  const before = await closed();
  expect(before.expected).toBe('10.75');

  await raiseCalifornia();
  const after = await closed();
  expect(after.expected).toBe('11.75');
  expect(after.service).not.toBe(before.service);

  expect(await closed()).toEqual({ ...after, asked: 0 });
});

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
