import { describe, expect, test } from 'vitest';
import { messagesOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { TEMPLATE_PROFILE } from '../support/shop-exports.ts';

const RULES = `rules:
  - { when: [{ column: customer_id, in: [Q] }], treat: ignore, reason: quote, message: a quote is not a sale }
  - { when: [{ column: transaction_type, in: [Order] }], treat: order }
  - { when: [{ column: transaction_type, in: [Refund] }], treat: refund }
`;

test('a refund of an order that the profile ignores keeps the month open', async () => {
  const shop = await month({
    template: [{ name: '1' }, { name: '2', customer: 'Q' }, { name: '2-r', refundOf: '2', at: '2026-10-12' }],
  });
  await shop.write('template.yaml', TEMPLATE_PROFILE + RULES);
  const figures = await shop.close();
  expect(figures.exit_code).toBe(1);
  expect(figures.exceptions.filter(({ code }) => code === 'refund-of-ignored')).toMatchObject([
    {
      severity: 'error',
      record: '2-r',
      message: '2 is not counted as a sale (a quote is not a sale), and its refund is deducted',
    },
  ]);
  expect(await shop.verify()).toEqual([]);
});

test('goods refunded beyond their order are counted over all periods', async () => {
  const given = { refundOf: '1', price: '60.00', tax: '6.45' };
  const shop = await month({
    template: [
      { name: '1' },
      { name: '1-r', at: '2026-10-12', ...given },
      { name: '1-s', at: '2026-11-12', ...given },
      { name: '2', at: '2026-11-12' },
      { name: '2-r', at: '2026-11-13', refundOf: '2', price: '50.00' },
    ],
  });
  expect(messagesOf(await shop.close('2026-10'), 'over-refund')).toEqual([]);
  expect(messagesOf(await shop.close('2026-11'), 'over-refund')).toEqual([
    '1 came to 110.75, and with this refund of 66.45 its refunds come to 132.90',
  ]);
  expect(await shop.verify('2026-11')).toEqual([]);
});

describe('a refund of a locked month counts in all later months as it stands there', () => {
  const sold = { name: '1', at: '2026-09-10' };
  const refund = (name: string, at: string, price: string, tax: string) => ({
    name,
    refundOf: '1',
    at,
    price,
    tax,
  });
  const again = refund('1-s', '2026-11-12', '100.00', '10.75');
  const said = (before: string) =>
    `1 came to 110.75, and with this refund of 110.75 its refunds come to ${before}`;

  test.each([
    ['where it came late and was carried', [], '--carry', '221.50'],
    ['where it came late and was amended', [], '--amend', '221.50'],
    [
      'where it was corrected and carried',
      [refund('1-r', '2026-09-28', '80.00', '8.60')],
      '--carry',
      '221.50',
    ],
    [
      'where it was corrected and amended',
      [refund('1-r', '2026-09-28', '80.00', '8.60')],
      '--amend',
      '221.50',
    ],
  ] as const)('%s', async (_, filed, choice, total) => {
    const shop = await month({ template: [sold, ...filed] });
    await shop.close('2026-09');
    await shop.told(0, 'lock', '2026-09');
    const late = refund('1-r', '2026-09-28', '100.00', '10.75');
    await shop.change({ template: [sold, late] });
    await shop.told(0, 'late', '2026-09', choice, '--open-exceptions', 'known');
    expect(messagesOf(await shop.close('2026-10'), 'over-refund')).toEqual([]);
    await shop.change({ template: [sold, late, again] });
    expect(messagesOf(await shop.close('2026-11'), 'over-refund')).toEqual([said(total)]);
    expect(await shop.verify('2026-11')).toEqual([]);
  });
});
