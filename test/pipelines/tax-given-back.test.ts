import { beforeAll, describe, expect, test } from 'vitest';
import { LINE_ITEMS_PROFILE, type LineItem, lineItemsExport } from '../support/line-items.ts';
import { type Month, month } from '../support/month.ts';
import { REGISTER, register } from '../support/register.ts';
import { sharedFolder } from '../support/tieout.ts';

const AUSTIN = { to_state: 'TX', to_zip: '78701', to_city: 'Austin', to_street: '1100 Congress Ave' };
const PHILADELPHIA = { to_state: 'PA', to_zip: '19103', to_city: 'Philadelphia' };

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

const givenBack = async (shop: Month, period = '2026-10') =>
  (await shop.rows('Exceptions', period))
    .filter((row) => row['Code'] === 'tax-given-back')
    .map((row) => row['What']);

const payOf = async (shop: Month, state = 'TX') =>
  (await shop.rows('Pay', '2026-10', 'filing-summary')).find((row) => row['State'] === state);

const PAID_AGAIN =
  'refunds gave back 8.25 that an earlier return of TX paid beyond the tax due, and this return pays it again';

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
    expect((await payOf(shop))?.['Before you file']).toContain('and this return pays it again.');
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
    expect(await payOf(shop)).toMatchObject({ 'Amount due': 8.17 });
    const accept = [{ record: 'TX 2026-10', code: 'tax-given-back', why: 'refund claimed' }];
    await shop.change({ settings: settingsWith({}, { policy: { accept } }) });
    await shop.close();
    expect((await payOf(shop))?.['Before you file']).not.toContain('pays it again');
  });
});

describe('tax that is given back is no finding', () => {
  test.for([
    ['of an order of the same month', [sold('X1', '2026-10-02', '100.00', '8.25', resold), ...OCTOBER], {}],
    [
      'of an order that was charged what was due',
      [
        sold('X1', '2026-09-10', '100.00', '8.25'),
        sold('X1R', '2026-10-05', '0.00', '-8.25', { transaction_reference_id: 'X1' }),
      ],
      {},
    ],
    ['where only tax that is due is paid', [...SEPTEMBER, ...OCTOBER], { basis: 'expected' }],
    ['where the tax is paid as it was collected', [...SEPTEMBER, ...OCTOBER], { basis: 'collected' }],
    ['where the return is of a longer period', [...SEPTEMBER, ...OCTOBER], { frequency: 'quarterly' }],
  ] as const)('%s', async ([, rows, registration]) => {
    const shop = await shopWith(rows, settingsWith(registration));
    await shop.close('2026-09');
    await shop.close();
    expect(await givenBack(shop)).toEqual([]);
  });

  test('as far as the return takes it off tax that was charged too much', async () => {
    const again = sold('X3', '2026-10-13', '100.00', '5.00', resold);
    const shop = await shopWith([...SEPTEMBER, ...OCTOBER, again]);
    await shop.close();
    expect(await givenBack(shop)).toEqual([PAID_AGAIN.replace('8.25', '3.25')]);
  });

  test('as far as the earlier return did not pay it, or refunds before gave it back', async () => {
    const shop = await shopWith([...SEPTEMBER, sold('X9', '2026-09-15', '100.00', '3.25'), ...OCTOBER]);
    await shop.close('2026-09');
    await shop.close();
    expect(await givenBack(shop)).toEqual([PAID_AGAIN.replace('8.25', '3.25')]);
    const before = sold('X1A', '2026-09-20', '0.00', '-7.00', { ...resold, transaction_reference_id: 'X1' });
    const other = await shopWith([...SEPTEMBER, before, ...OCTOBER]);
    await other.close();
    expect(await givenBack(other)).toEqual([PAID_AGAIN.replace('8.25', '1.25')]);
  });
});

test('a whole order that was taxed wrongly is given back', async () => {
  const shirt = { ...PHILADELPHIA, item_product_identifier: 'CLO-1' };
  const shop = await shopWith([
    sold('P1', '2026-09-10', '100.00', '8.00', shirt),
    sold('P1R', '2026-10-05', '-100.00', '-8.00', { ...shirt, transaction_reference_id: 'P1' }),
    sold('P2', '2026-10-12', '200.00', '16.00', PHILADELPHIA),
  ]);
  await shop.close('2026-09');
  await shop.close();
  expect(await givenBack(shop)).toEqual([PAID_AGAIN.replace('8.25', '8.00').replace('TX', 'PA')]);
});

test('a refund of an earlier day that arrived late does not count among the refunds before the period', async () => {
  const shop = await shopWith(SEPTEMBER, settingsWith({}, { policy: { lateItems: 'carry' } }));
  await shop.close('2026-09');
  expect((await shop.run('lock', '2026-09')).code).toBe(0);
  const [refund, order] = OCTOBER;
  await shop.write(
    'lines.csv',
    lineItemsExport([
      ...SEPTEMBER,
      { ...(refund as LineItem), transaction_date: '2026-09-28' },
      order as LineItem,
    ]),
  );
  await shop.close();
  expect(await givenBack(shop)).toEqual([PAID_AGAIN]);
});
