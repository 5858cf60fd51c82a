import { describe, expect, test } from 'vitest';
import { amendLate, carryLate, lockClosed } from '../support/decisions.ts';
import { messagesOf, openOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import { TEMPLATE_PROFILE, type TemplateRow } from '../support/shop-exports.ts';

const RULES = `rules:
  - { when: [{ column: customer_id, in: [Q] }], treat: ignore, reason: quote, message: a quote is not a sale }
  - { when: [{ column: transaction_type, in: [Order] }], treat: order }
  - { when: [{ column: transaction_type, in: [Refund] }], treat: refund }
`;

describe('a refund of an order that is kept out', () => {
  const template = [
    { name: '1' },
    { name: '2', to: { city: 'Oakland', zip: '946', state: 'CA' } },
    { name: '2-r', refundOf: '2', at: '2026-10-12' },
  ];
  const shopWith = async (...decisions: readonly string[]) => {
    const shop = await month({ template, settings: { decisions: ['decided.csv'] } });
    await shop.write('decided.csv', ['key,records,decision,why', ...decisions, ''].join('\n'));
    return shop;
  };

  test('keeps the month open, also where a person decided that the order is kept out', async () => {
    const shop = await shopWith('2026-10 bad-zip of 2,2,Keep out,no sale');
    const figures = await shop.close();
    expect(openOf(figures)).toMatchObject([
      {
        code: 'refund-of-kept-out',
        record: '2-r',
        message: '2 is not counted (needs review), and its refund is deducted',
      },
    ]);
    expect(figures).toMatchObject({ exit_code: 1, totals: { gross: '0.00', collected: '0.00' } });
    expect(await shop.verify()).toEqual([]);
  });
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
    ['where it came late and was carried', [], 'next', '221.50'],
    ['where it came late and was amended', [], 'amend', '221.50'],
    ['where it was corrected and carried', [refund('1-r', '2026-09-28', '80.00', '8.60')], 'next', '221.50'],
    ['where it was corrected and amended', [refund('1-r', '2026-09-28', '80.00', '8.60')], 'amend', '221.50'],
  ] as const)('%s', async (_, filed, choice, total) => {
    const shop = await month({ template: [sold, ...filed] });
    await lockClosed(shop, '2026-09');
    const late = refund('1-r', '2026-09-28', '100.00', '10.75');
    await shop.change({ template: [sold, late] });
    if (choice === 'next') await carryLate(shop, '2026-10');
    else await amendLate(shop, '2026-09', '2026-10');
    expect(messagesOf(await shop.close('2026-10'), 'over-refund')).toEqual([]);
    await shop.change({ template: [sold, late, again] });
    expect(messagesOf(await shop.close('2026-11'), 'over-refund')).toEqual([said(total)]);
    expect(await shop.verify('2026-11')).toEqual([]);
  });
});

describe('refunds that stay filed of an order that is corrected after its month was locked', () => {
  const sold = { name: '1', at: '2026-10-10' };
  const other = { name: '2', at: '2026-11-10' };
  const given = { name: '1-r', refundOf: '1', at: '2026-10-20' };
  /** October is filed with the order and its refund; then the exports have these rows. */
  const carried = async (...rows: readonly TemplateRow[]) => {
    const settings = { policy: { lateItems: 'carry' } };
    const shop = await month({ template: [sold, given], settings });
    await shop.write('template.yaml', TEMPLATE_PROFILE + RULES);
    await lockClosed(shop, '2026-10');
    await shop.change({ template: [...rows, other] });
    await shop.write('template.yaml', TEMPLATE_PROFILE + RULES);
    return { shop, figures: await shop.close('2026-11') };
  };

  test.for([
    ['set aside', { ...sold, customer: 'Q' }, '0.00', '-10.75'],
    ['reduced', { ...sold, price: '40.00', tax: '4.30' }, '44.30', '-6.45'],
  ] as const)('keep the month open where the order is %s', async ([, now, total, effect]) => {
    const { shop, figures } = await carried(now, given);
    expect(openOf(figures)).toMatchObject([
      {
        code: 'late-order-refunded',
        record: '1',
        message: `1 comes to ${total} since it was corrected, and 110.75 of it was refunded and filed before`,
        effect,
      },
    ]);
    expect(await shop.verify('2026-11')).toEqual([]);
  });
});
