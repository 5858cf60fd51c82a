import { expect, test } from 'vitest';
import { lockClosed } from '../support/decisions.ts';
import { month } from '../support/month.ts';
import { OAKLAND, type TemplateRow } from '../support/shop-exports.ts';

const policy = { lateItems: 'carry' };
const california = { registrations: [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }], policy };
const amending = {
  registrations: [{ state: 'CA', since: '2019-01-01' }],
  policy: { lateItems: 'amend' },
};
test('a refund, its reversal and its new version are one refund in a quarter', async () => {
  const order: TemplateRow = { name: '#1', to: OAKLAND, tax: '10.75', at: '2026-06-10' };
  const refunded: TemplateRow = { ...order, name: '#2', refundOf: '#1', at: '2026-07-10' };
  const another: TemplateRow = { ...order, name: '#3', at: '2026-07-12' };
  const shop = await month({ template: [order, refunded, another], settings: california });
  await lockClosed(shop, '2026-06');
  await lockClosed(shop, '2026-07');
  await shop.change({ template: [order, { ...refunded, price: '50.00', tax: '5.38' }, another] });
  await lockClosed(shop, '2026-08');
  await shop.close('2026-09');
  const { readiness } = await shop.close('2026-Q3');
  expect(readiness.reasons).toEqual([]);
  const links = await shop.rows('Refunds', '2026-Q3');
  expect(links.map((row) => [row['Refund'], row['Refunded'], row['Remark']])).toEqual([
    ['2', 0, null],
    ['2-late-1', 55.38, null],
  ]);
  expect(await shop.verify('2026-Q3')).toEqual([]);
});

test('an order comes to what its last correction says, in a second amended version, too', async () => {
  const order: TemplateRow = { name: '#1', to: OAKLAND, tax: '10.75', at: '2026-08-10' };
  const refunded: TemplateRow = {
    ...order,
    ...{ name: '#2', refundOf: '#1', at: '2026-09-10', price: '50.00', tax: '5.38' },
  };
  const shop = await month({ template: [order, refunded], settings: amending });
  await lockClosed(shop, '2026-08');
  await lockClosed(shop, '2026-09');
  const saidIn = async (now: Partial<TemplateRow>, version: string): Promise<readonly unknown[]> => {
    await shop.change({ template: [{ ...order, ...now }, refunded] });
    await lockClosed(shop, version);
    return (await shop.rows('Exceptions', version)).flatMap((row) =>
      row['Code'] === 'late-order-refunded' ? row['What'] : [],
    );
  };
  expect(await saidIn({ price: '80.00', tax: '8.60' }, '2026-08-amended-1')).toEqual([]);
  expect(await saidIn({ price: '30.00', tax: '3.23' }, '2026-08-amended-2')).toEqual([
    '1 comes to 33.23 since it was corrected, and 55.38 of it was refunded and filed before',
  ]);
});
