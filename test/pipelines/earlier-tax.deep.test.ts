import { expect, test } from 'vitest';
import { lockClosed } from '../support/decisions.ts';
import { type Month, month } from '../support/month.ts';
import { OAKLAND, SEATTLE, type TemplateRow } from '../support/shop-exports.ts';

/** A shop that is registered in California only, and charges tax in Washington. */
const policy = { lateItems: 'carry' };
const settings = { registrations: [{ state: 'CA', since: '2019-01-01' }], policy };
const california = { registrations: [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }], policy };
const amending = { ...settings, policy: { lateItems: 'amend' } };
const charged: TemplateRow = { name: '#1', to: SEATTLE, tax: '10.55' };
const half = { price: '50.00', tax: '5.28' };
const ofNovember: TemplateRow = { ...charged, name: '#3', at: '2026-11-12' };

/** A shop whose October is locked, with other exports afterwards, of which the late ones are carried into November. */
const carried = async (before: readonly TemplateRow[], after: readonly TemplateRow[]): Promise<Month> => {
  const shop = await month({ template: before, settings });
  await lockClosed(shop, '2026-10');
  await shop.change({ template: after });
  await shop.close('2026-11');
  return shop;
};

/** What `status` says of tax on no return, with the books proved by the evidence alone. */
const onNoReturn = async (shop: Month, version: string): Promise<string> => {
  expect(await shop.verify(version)).toEqual([]);
  const checks = await shop.rows('Checks', version, 'filing-summary');
  expect(checks.filter(({ Result }) => Result !== 'PASS')).toEqual([]);
  const { stdout } = await shop.run('status', version);
  return /On no return: [^;]*(?=;)/.exec(stdout)?.[0] ?? '';
};

test('tax that customers of a month were charged in a state without a return is not set against a carried correction of an earlier month', async () => {
  const shop = await carried(
    [charged],
    [
      { ...charged, ...half },
      { ...ofNovember, ...half, tax: '5.27' },
    ],
  );
  expect(await onNoReturn(shop, '2026-11')).toBe('On no return: WA 5.27, WA -5.27');
});

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
