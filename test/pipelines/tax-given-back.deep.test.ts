import { beforeAll, describe, expect, test } from 'vitest';
import { carryLate, decide, lockClosed } from '../support/decisions.ts';
import { LINE_ITEMS_PROFILE, type LineItem, lineItemsExport } from '../support/line-items.ts';
import { type Month, month } from '../support/month.ts';
import { REGISTER, register } from '../support/register.ts';
import { sharedFolder } from '../support/tieout.ts';

const AUSTIN = { to_state: 'TX', to_zip: '78701', to_city: 'Austin', to_street: '1100 Congress Ave' };

const sold = (id: string, on: string, price: string, tax: string, cells: LineItem = {}): LineItem => ({
  ...{ ...AUSTIN, transaction_id: id, transaction_date: on, item_product_identifier: 'GEN-MUG' },
  ...{ item_unit_price: price, total_sales_tax: tax, ...cells },
});
const resold = { customer_id: 'C-RES' };

const SEPTEMBER = [
  sold('X0', '2026-09-12', '200.00', '16.50'),
  sold('X1', '2026-09-10', '100.00', '8.25', resold),
];
const OCTOBER = [
  sold('X1R', '2026-10-05', '0.00', '-8.25', { ...resold, transaction_reference_id: 'X1' }),
  sold('X2', '2026-10-12', '200.00', '16.50'),
];

const settingsWith = (registration: object = {}, more: object = {}) => ({
  registrations: [
    { state: 'TX', since: '2020-01-01', ...registration },
    { state: 'PA', since: '2020-01-01' },
  ],
  categories: [{ sku: 'CLO-*', code: '20010' }],
  channels: [{ name: 'shop', files: ['lines.csv'], profile: 'lines.yaml' }],
  certificates: [REGISTER],
  ...more,
});

const shopWith = async (rows: readonly LineItem[], settings = settingsWith(), folder?: string) => {
  const shop = await month({ settings }, folder);
  await shop.write('lines.csv', lineItemsExport(rows));
  await shop.write('lines.yaml', LINE_ITEMS_PROFILE);
  await shop.write(REGISTER, register([{ customer: 'C-RES', states: 'TX' }]));
  return shop;
};

const exceptionsOf = async (shop: Month, period = '2026-10') =>
  (await shop.rows('Exceptions', period)).filter((row) => row['Code'] === 'tax-given-back');
const givenBack = async (shop: Month, period?: string) =>
  (await exceptionsOf(shop, period)).map((row) => row['What']);

const payOf = async (shop: Month, state = 'TX') =>
  (await shop.rows('Pay', '2026-10', 'filing-summary')).find((row) => row['State'] === state);

const paidTwice = (amount: string, than = 'more') =>
  `refunds and corrections of earlier sales gave back ${amount} ${than} than the tax due, and this return does not take it off: if an earlier return paid it, too much is paid`;
const PAID_AGAIN = paidTwice('8.25');

describe('tax that is given back in a later month', () => {
  const folder = sharedFolder();
  let shop: Month;
  beforeAll(async () => {
    shop = await shopWith([...SEPTEMBER, ...OCTOBER], settingsWith(), folder);
    await shop.close('2026-09');
  });

  test('is a finding of that month, with the amount that is paid twice', async () => {
    expect(await givenBack(shop, '2026-09')).toEqual([]);
    expect(await shop.close()).toMatchObject({ exit_code: 0, totals: { collected: '8.25' } });
    expect(await givenBack(shop)).toEqual([PAID_AGAIN]);
    expect(await shop.verify()).toEqual([]);
  });

  test('until the registration states a credit of at least that, or it is accepted', async () => {
    const credit = (added: string) => ({
      settings: settingsWith({ credits: [{ period: '2026-10', added }] }),
    });
    await shop.change(credit('8.24'));
    await shop.close();
    expect(await givenBack(shop)).toEqual([PAID_AGAIN]);
    await shop.change(credit('8.25'));
    await shop.close();
    expect(await givenBack(shop)).toEqual([]);
    expect(await payOf(shop)).toMatchObject({ 'To pay': 8.17 });
    await shop.change({ settings: settingsWith() });
    await decide(shop, [
      { key: '2026-10 tax-given-back of TX 2026-10', decision: 'accept', why: 'refund claimed' },
    ]);
    await shop.close();
    expect((await exceptionsOf(shop)).map((row) => row['Decision'])).toEqual(['accepted']);
  });
});

describe('tax that is given back is no finding', () => {
  test.for([
    ['of an order of the same month', [sold('X1', '2026-10-02', '100.00', '8.25', resold), ...OCTOBER], {}],
    ['where only tax that is due is paid', [...SEPTEMBER, ...OCTOBER], { basis: 'expected' }],
    ['where the tax is paid as it was collected', [...SEPTEMBER, ...OCTOBER], { basis: 'collected' }],
    ['where the return is of a longer period', [...SEPTEMBER, ...OCTOBER], { frequency: 'quarterly' }],
  ] as const)('%s', async ([, rows, registration]) => {
    const shop = await shopWith(rows, settingsWith(registration));
    await shop.close('2026-09');
    await shop.close();
    expect(await givenBack(shop)).toEqual([]);
  });
});

describe('a late correction of an order that was charged too much', () => {
  test.for([
    ['all', '0.00', '8.25'],
    ['a part', '5.00', '3.25'],
  ] as const)('gives back %s of what the locked return paid beyond the tax due', async ([, tax, amount]) => {
    const shop = await shopWith(SEPTEMBER);
    await lockClosed(shop, '2026-09');
    const [other, order] = SEPTEMBER as [LineItem, LineItem];
    const october = sold('X2', '2026-10-12', '200.00', '16.50');
    const rows = [other, { ...order, total_sales_tax: tax }, october];
    await shop.write('lines.csv', lineItemsExport(rows));
    await carryLate(shop, '2026-10');
    expect(await givenBack(shop)).toEqual([paidTwice(amount)]);
    expect(await shop.verify()).toEqual([]);
  });
});

describe('goods that are given back after their tax was paid beyond the tax charged', () => {
  const back = (id: string, on: string, price: string, tax: string) =>
    sold(id, on, price, tax, { transaction_reference_id: 'A' });
  const others = ['09', '10', '11'].map((name) => sold(`X${name}`, `2026-${name}-12`, '200.00', '16.50'));

  test('are a finding where their order was not charged, until a credit is stated', async () => {
    const rows = [
      ...others,
      sold('A', '2026-09-10', '100.00', '0.00'),
      back('R', '2026-10-05', '-100.00', '0.00'),
    ];
    const shop = await shopWith(rows);
    await shop.close('2026-09');
    await shop.close();
    expect(await givenBack(shop)).toEqual([paidTwice('8.25', 'less')]);
    await shop.change({ settings: settingsWith({ credits: [{ period: '2026-10', added: '8.25' }] }) });
    await shop.close();
    expect(await givenBack(shop)).toEqual([]);
  });
});
