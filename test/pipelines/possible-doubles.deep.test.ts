import { describe, expect, test } from 'vitest';
import { errorsOf } from '../support/figures.ts';
import { month } from '../support/month.ts';
import {
  OAKLAND,
  type Order,
  ordersExport,
  type Place,
  SEATTLE,
  TEMPLATE_PROFILE,
  type TemplateRow,
  templateExport,
} from '../support/shop-exports.ts';

/** A shop, and a second channel with orders in another form. */
const withSecond = async (second: readonly TemplateRow[], settings: object = {}) => {
  const shop = await month({
    settings: {
      channels: [
        { name: 'shop', files: ['orders.csv'] },
        { name: 'tax', files: ['tax.csv'], profile: 'template.yaml' },
      ],
      decisions: ['decided.csv'],
      ...settings,
    },
  });
  await shop.write('orders.csv', ordersExport([1001, 1002, 1003].map((name) => ({ name: `#${name}` }))));
  await shop.write('tax.csv', templateExport(second));
  await shop.write('template.yaml', TEMPLATE_PROFILE);
  await shop.write('decided.csv', 'key,records,decision,why\n');
  return shop;
};

test('orders that two channels have keep the month open, until a person says that they are others', async () => {
  const shop = await withSecond([{ name: '1001' }, { name: '1002' }, { name: 'T-9' }]);
  const figures = await shop.close();
  expect(errorsOf(figures)).toEqual(['possible-double shop and tax 2026-10']);
  expect(figures.exceptions.find(({ code }) => code === 'possible-double')).toMatchObject({
    effect: '21.50',
    message:
      '2 orders of "tax" have the same number, day and total as orders of "shop", such as 1001 (orders.csv:2 and tax.csv:2): what both have counts twice',
  });
  expect(await shop.verify()).toEqual([]);

  const decided = '2026-10 possible-double of shop and tax 2026-10,shop and tax 2026-10,Accept,Two shops.';
  await shop.write('decided.csv', `key,records,decision,why\n${decided}\n`);
  expect((await shop.close()).exit_code).toBe(0);
});

test('one file that two channels read is asked about once', async () => {
  const channels = ['shop', 'again'].map((name) => ({ name, files: [`${name}.csv`] }));
  const shop = await month({ settings: { channels } });
  for (const { files } of channels) await shop.write(String(files), ordersExport([{ name: '#1001' }]));
  expect(errorsOf(await shop.close()).join()).not.toContain('possible-double');
});

describe('an order that a spreadsheet saved a second time, without the leading zeros of its number', () => {
  const closeTwo = async (copy: readonly Order[]) => {
    const shop = await month({ settings: { channels: [{ name: 'shop', files: ['a.csv', 'b.csv'] }] } });
    await shop.write('a.csv', ordersExport([{ name: '#0012' }, { name: '#0013' }]));
    await shop.write('b.csv', ordersExport(copy));
    return shop.close();
  };

  test('keeps the month open', async () => {
    const figures = await closeTwo([{ name: '#12' }, { name: '#13' }]);
    expect(errorsOf(figures)).toEqual(['possible-double shop 2026-10']);
    expect(figures.exceptions.find(({ code }) => code === 'possible-double')).toMatchObject({
      effect: '21.50',
      message:
        '2 orders of "shop" have the day, total and number, without its leading zeros, of orders in another file, such as 0012 (a.csv:2 and b.csv:2): what both have counts twice',
    });
  });

  test.for([
    ['another day', { name: '#12', at: '2026-10-11' }],
    ['another total', { name: '#12', price: '90.00' }],
    ['another number', { name: '#120' }],
  ] as const)('is no double with %s', async ([, order]) => {
    expect(errorsOf(await closeTwo([order]))).toEqual([]);
  });
});

test.for([
  ['half of the totals are others', [{ name: '1001' }, { name: '1002', price: '90.00' }]],
  ['the totals of one have the tax', [{ name: '1001', price: '110.75', tax: '10.75' }]],
] as const)('orders of two channels are asked about where %s', async ([, second]) => {
  const shop = await withSecond(second);
  expect(errorsOf(await shop.close())).toContain('possible-double shop and tax 2026-10');
});

describe('orders that two channels have under other numbers', () => {
  const FRESNO = { city: 'Fresno', zip: '93701', state: 'CA' };
  const SAN_DIEGO = { city: 'San Diego', zip: '92101', state: 'CA' };
  const PLACES = [OAKLAND, FRESNO, SAN_DIEGO, SEATTLE];
  const sold = PLACES.map((to, index) => ({ name: `#${2001 + index}`, price: `${50 + index}.00`, to }));
  /** The same orders as another channel may have them. */
  const again = (change: (order: (typeof sold)[number], index: number) => Partial<TemplateRow>) =>
    sold.map((order, index) => ({ ...order, ...change(order, index) }));
  const doublesOf = async (first: readonly Order[], second: readonly TemplateRow[]) => {
    const shop = await withSecond(second);
    await shop.write('orders.csv', ordersExport(first));
    const { exceptions } = await shop.close();
    expect(await shop.verify()).toEqual([]);
    return exceptions.filter(({ code }) => code === 'possible-double');
  };

  test.for([
    ['made anew', again((_, index) => ({ name: `pi_${index}Qz` }))],
    ['with a prefix', again(({ name }) => ({ name: `SHOP-${name.slice(1)}` }))],
    [
      'among others',
      [...again((_, index) => ({ name: `T${index}` })), ...[1, 2, 3].map((name) => ({ name: `${name}` }))],
    ],
  ] as const)('are asked about: %s', async ([, second]) => {
    expect(await doublesOf(sold, second)).toMatchObject([
      {
        record: 'shop and tax 2026-10',
        message: expect.stringMatching(
          /^4 orders of "tax" have the amount, tax, day and destination of orders of "shop" under other numbers, such as \S+ \(orders\.csv:\d and tax\.csv:\d\)/,
        ),
      },
    ]);
  });

  const till = Array.from({ length: 8 }, (_, index) => ({ price: `${4 + (index % 2)}.00` }));
  test.for([
    [
      'sales of two tills with a short menu',
      till.map((one, index) => ({ ...one, name: `#A${index}` })),
      till.map((one, index) => ({ ...one, name: `B${index}` })),
    ],
    [
      'other buyers of the same things',
      sold,
      again((_, index) => ({ name: `T${index}`, to: PLACES[(index + 1) % 4] as Place })),
    ],
    ['other days', sold, again((_, index) => ({ name: `T${index}`, at: '2026-10-11' }))],
    ['few orders', sold.slice(0, 2), again((_, index) => ({ name: `T${index}` })).slice(0, 2)],
    [
      'a few equal ones among many',
      [
        ...sold,
        ...Array.from({ length: 6 }, (_, index) => ({ name: `#${index}`, price: `${200 + index}.00` })),
      ],
      [
        ...again((_, index) => ({ name: `T${index}` })),
        ...Array.from({ length: 6 }, (_, index) => ({ name: `U${index}`, price: `${300 + index}.00` })),
      ],
    ],
  ] as const)('are none where they are %s', async ([, first, second]) => {
    expect(await doublesOf(first, second)).toEqual([]);
  });
});
