import { describe, expect, test } from 'vitest';
import { errorsOf, type Figures, messagesOf } from '../support/figures.ts';
import { type Month, month, type Settings } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

/** An export of numbered records, some of which have an id that no other shop has. */
const DESK = `schema: 1
id: own.desk
version: 1
title: Desk
source: The desk.
capability: sales
columns: [Number, Kind, Date, Key, State, Zip, Street, City, Tax, Total]
detect: { required: [Number, Kind, Date, Total] }
locale:
  date: { columns: [Date], forms: ["yyyy-MM-dd HH:mm", yyyy-MM-dd], zone: channel }
  currency: { constant: USD }
shape: { kind: order-per-row, key: [Number] }
rules:
  - { when: [{ column: Kind, in: [Refund] }], treat: refund, amounts: positive }
  - { when: [{ column: Kind, in: [Sale] }], treat: order }
map:
  uniqueId: Key
  shipTo: { country: { constant: US }, state: State, zip: Zip, city: City, street: Street }
  goods: { subtract: [Total, Tax] }
  shipping: { constant: "0.00" }
  salesTax: Tax
  total: Total
`;

/** A sale of 1001 for 100.00 at noon of a day, unless it says otherwise. */
type Row = Partial<Record<'number' | 'kind' | 'at' | 'key' | 'tax' | 'total', string>>;

const rowText = (row: Row): string => {
  const { number = '1001', kind = 'Sale', at = '2026-10-03 12:00', key = '' } = row;
  const { tax = '10.75', total = '110.75' } = row;
  const to = ['CA', '94607', '1 Main St', 'Oakland'];
  return [number, kind, at, key, ...to, tax, total].join(',');
};

const HEADER = 'Number,Kind,Date,Key,State,Zip,Street,City,Tax,Total';

/** Another sale of that number, for 40.00. */
const SECOND: Row = { at: '2026-10-20 12:00', tax: '4.30', total: '44.30' };

const put = (shop: Month, name: string, ...rows: readonly Row[]): Promise<void> =>
  shop.write(`desk-${name}.csv`, `${[HEADER, ...rows.map(rowText)].join('\n')}\n`);

const desk = async (files: Readonly<Record<string, readonly Row[]>>, channel: Settings = {}) => {
  const shop = await month({ channel: { profile: './desk.yaml', files: ['desk-*.csv'], ...channel } });
  await shop.write('desk.yaml', DESK);
  for (const [name, rows] of Object.entries(files)) await put(shop, name, ...rows);
  return shop;
};

const RESTART = { numbers: 'restart' };
const FIRST_RECORD = 'order 1001 100.00 10.75';
const BOTH = [FIRST_RECORD, 'order 1001-20261020 40.00 4.30'];

/** Whether every row of the files was used, ignored or rejected. */
const rowsOf = ({ inputs }: Figures) =>
  inputs.map(({ used, ignored, rejected }) => [used, ignored, rejected]);

describe('a number that a shop uses again', () => {
  test('without ids is one open finding that names both, until the numbers are said to restart', async () => {
    const shop = await desk({ a: [{}], b: [SECOND] });
    const open = await shop.close();
    expect(messagesOf(open, 'number-used-again')).toEqual([
      'its number was used before: desk-b.csv:2 has 40.00 and 4.30 tax on 2026-10-20, desk-a.csv:2 has 100.00 and 10.75 tax on 2026-10-03, and no id tells whether the two are one',
    ]);
    expect([errorsOf(open), rowsOf(open)]).toEqual([
      ['number-used-again 1001'],
      [
        [1, 0, 0],
        [1, 0, 0],
      ],
    ]);
    expect(await shop.records()).toEqual([FIRST_RECORD]);

    await shop.change({ channel: { profile: './desk.yaml', files: ['desk-*.csv'], ...RESTART } });
    expect(await shop.close()).toMatchObject({
      exit_code: 0,
      totals: { gross: '140.00', collected: '15.05' },
    });
    expect(await shop.records()).toEqual(BOTH);
    expect(await shop.close()).toMatchObject({ submissions: { created: 0, updated: 0, unchanged: 2 } });
    expect(await shop.verify()).toEqual([]);
  });

  test('is two sales where their ids differ, whatever the order of the files', async () => {
    const files = { a: [{ ...SECOND, key: 'B' }], b: [{ key: 'A' }] };
    const shop = await desk(files);
    expect(await shop.close()).toMatchObject({ exit_code: 0, totals: { gross: '140.00' } });
    expect(await shop.records()).toEqual(BOTH);
    const taken = await desk({ b: [{ key: 'A' }], c: [{ key: 'B' }, { number: '1001-20261003' }] });
    expect(await taken.close()).toMatchObject({ totals: { gross: '300.00' } });
    expect(await taken.records()).toContain('order 1001-20261003-2 100.00 10.75');
  });

  test.for([
    [[{ key: 'A' }], [{ ...SECOND, key: 'A' }], 'both have the id A, as one order has'],
    [[{ key: 'A' }, { key: 'B' }], [{ tax: '4.30', total: '44.30' }], 'no id tells'],
    [[{ key: 'A' }], [{ ...SECOND }], 'no id tells'],
  ] as const)(
    'is open where ids are contradictory or half filled, also if numbers restart: %#',
    async ([first, second, said]) => {
      const isKnown = said === 'no id tells' && first.length === 1;
      const shop = await desk({ a: first, b: second }, isKnown ? {} : RESTART);
      const [message] = messagesOf(await shop.close(), 'number-used-again');
      expect(message).toContain(said);
    },
  );

  test('is one sale where one export has its day in UTC and the other its local time', async () => {
    const shop = await desk({ a: [{ at: '2026-10-03 22:00' }], b: [{ at: '2026-10-04' }] });
    expect(await shop.close()).toMatchObject({ exit_code: 0, totals: { gross: '100.00' } });
    expect(await shop.records()).toEqual([FIRST_RECORD]);
  });

  test('has its refunds with the last order created before them, and with none where that may be either', async () => {
    const back = (at: string, total = '11.08', tax = '1.08'): Row => ({ kind: 'Refund', at, total, tax });
    const shop = await desk(
      { a: [{}, back('2026-10-05')], b: [SECOND, back('2026-10-25', '4.43', '0.43')] },
      RESTART,
    );
    await shop.close();
    expect(await shop.records()).toEqual([
      ...BOTH,
      'refund 1001-20261020-refund -4.00 -0.43',
      'refund 1001-refund -10.00 -1.08',
    ]);
    const unclear = await desk({ a: [{}, back('2026-10-20')], b: [SECOND] }, RESTART);
    expect(messagesOf(await unclear.close(), 'refund-without-reference')).toEqual([
      '1001 and 1001-20261020 have the number of its order, and it may be of either',
    ]);
  });
});

test('of two statements of one sale that come to one tax, the file that reaches later counts without a question', async () => {
  const noted = { b: [{ key: 'A' }], a: [{ at: '2026-10-03 13:00' }, { number: '2', at: '2026-10-30' }] };
  const figures = await (await desk(noted)).close();
  expect([figures.exit_code, rowsOf(figures)]).toEqual([
    0,
    [
      [2, 0, 0],
      [0, 1, 0],
    ],
  ]);
});

const SOLD: Order = { name: '#1', refundedOn: '2026-10-20' };
const CONTRADICTED = [SOLD, { name: '#2' }, { ...SOLD, price: '60.00' }];

test('of a record that contradicts itself in one file no copy is sent, and one that was sent before is named', async () => {
  const shop = await month({ orders: CONTRADICTED.slice(0, 2) });
  await shop.close();
  const sent = await shop.records();
  await shop.change({ orders: CONTRADICTED });
  const figures = await shop.close();
  expect(messagesOf(figures, 'conflicting-duplicate')).toHaveLength(2);
  expect(messagesOf(figures, 'recorded-not-posted')).toHaveLength(2);
  expect(await shop.records()).toEqual(sent);
});

test('an order that cannot be read any more is no record of a stranger', async () => {
  const shop = await month({ orders: [SOLD, { name: '#2' }] });
  await shop.close();
  await shop.change({ orders: [{ ...SOLD, total: '#REF!' }, { name: '#2' }] });
  const figures = await shop.close();
  expect(messagesOf(figures, 'R20')).toEqual([]);
  expect(messagesOf(figures, 'recorded-not-posted')).toEqual([
    'the service holds this order of "shopify" with 10.75 tax; an export has it, and does not post it on that day',
    'the service holds this refund of "shopify" with -10.75 tax; an export has its order, and does not post it on that day',
  ]);
});

/** A sale of the month that is locked, and one of the number that comes up again. */
const SEPTEMBER: Row = { at: '2026-09-03 12:00' };

/** A shop whose September is locked with these files. */
const locked = async (files: Readonly<Record<string, readonly Row[]>>): Promise<Month> => {
  const shop = await desk(files);
  await shop.close('2026-09');
  await shop.told(0, 'lock', '2026-09', '--open-exceptions', 'known');
  return shop;
};

describe('a locked sale', () => {
  test.for([
    ['without ids is open', '', SECOND, 'number-used-again 1001'],
    ['with another id is another sale', 'A', { ...SECOND, key: 'B' }, undefined],
    ['with its id is open', 'A', { ...SECOND, key: 'A' }, 'number-used-again 1001'],
    ['created with it is the sale', '', { ...SECOND, at: '2026-09-04' }, 'R17 1001'],
  ] as const)('has a number of which a later statement %s', async ([, key, later, error]) => {
    const shop = await locked({ a: [{ ...SEPTEMBER, key }] });
    await put(shop, 'b', later, { number: '1002' });
    expect(errorsOf(await shop.close())).toEqual(error === undefined ? [] : [error]);
  });

  test.for([
    ['is settled, and not read again', [], {}, 0],
    ['is read for a day that is open', [SECOND], {}, 2],
    ['is read for a row that cannot be read', [{ ...SEPTEMBER, number: '7', tax: 'x' }], {}, 2],
    ['is read by other settings', [], RESTART, 1],
  ] as const)('has a file that %s', async ([, more, changed, rows]) => {
    const shop = await locked({ a: [SEPTEMBER, ...more] });
    await shop.change({ channel: { profile: './desk.yaml', files: ['desk-*.csv'], ...changed } });
    const { stdout } = await shop.run('close', '2026-10');
    // A settled file counts among none of the rows that the close has read.
    expect(/^extract: (\d+) row/m.exec(stdout)?.[1]).toBe(`${rows}`);
  });
});
