import { describe, expect, test } from 'vitest';
import { errorsOf, messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
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

test('so does one whose order stands in the same export', async () => {
  const shop = await month({
    template: [{ name: '1' }, { name: '2' }, back('1-r', '40.00')],
    refunds: [paid('44.30')],
  });
  expect(await shop.close()).toMatchObject({ exit_code: 0, totals: { gross: '160.00' } });
  expect(await shop.verify()).toEqual([]);
});

test('a payment that fits none of the refunds is held', async () => {
  const shop = await month({ template: [OLDER], refunds: [] });
  await shop.close('2026-09');
  await shop.change({ template: [OLDER, { name: '3' }, back('1-r', '40.00')], refunds: [paid('44.00')] });
  const figures = await shop.close();
  expect(errorsOf(figures)).toEqual(['refund-dates-differ 1']);
  expect(messagesOf(figures, 'refund-dates-differ')).toEqual([
    '44.30 was refunded, but the dated repayments come to 44.00',
  ]);
  expect(figures.totals['gross']).toBe('60.00');
});
