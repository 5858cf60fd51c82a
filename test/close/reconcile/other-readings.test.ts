import { describe, expect, test } from 'vitest';
import { refundedPartOf } from '../../../src/close/sales/refunded-part.ts';
import type { Sale } from '../../../src/close/sales/sale.ts';
import { calendarDate } from '../../../src/kernel/calendar.ts';
import { money } from '../../../src/kernel/money.ts';
import { price } from '../../../src/kernel/price.ts';
import { LINE, refundOf, saleOf } from '../sales/sale-of.ts';
import { answerTo, reasonsOf } from './repaid-orders.ts';

const CLOTHES = '20010';
const place = (state: string, zip: string, city: string) => ({ country: 'US', state, zip, city, street: '' });
const HOUSTON = place('TX', '77002', 'Houston');

type Item = readonly [dollars: number, taxCode: string | null, quantity?: number];

const orderOf = (
  shipTo: Sale['shipTo'],
  day: string,
  items: readonly Item[],
  freight: number,
  tax: number,
): Sale =>
  saleOf({
    shipTo,
    taxDate: calendarDate(day),
    lines: items.map(([dollars, taxCode, quantity = 1], index) => ({
      ...LINE,
      ...{ id: String(index + 1), sku: `S-${index}`, unitPrice: price(dollars * 10_000), quantity, taxCode },
    })),
    shipping: money(freight * 100),
    amount: money(
      items.reduce((total, [dollars, , quantity = 1]) => total + dollars * quantity, freight) * 100,
    ),
    salesTax: money(tax),
  });

const codesOf = (sale: Sale) => reasonsOf(sale).map((reason) => reason.split(':')[0]);

describe('a charge for the shipping of an order on the holiday of Texas', () => {
  const DAY = '2026-08-08';
  const holiday = (items: readonly Item[], tax: number) => orderOf(HOUSTON, DAY, items, 10, tax);

  test('can be put to one of its items', () => {
    const five: readonly Item[] = [
      [98, CLOTHES, 4],
      [85, CLOTHES],
    ];
    expect(reasonsOf(holiday(five, 0))).toEqual([]);
    // Shared, it makes 98.00 to 100.05 and taxes them.
    expect(reasonsOf(holiday(five, 3302))).toEqual([
      'R31 3302: recomputed with shipping taxable in the share of taxable goods in the price of all, and counted towards price limits: 33.02',
    ]);
  });

  test('is taxed with the item that it is put to', () => {
    const mug: readonly Item[] = [
      [95, CLOTHES],
      [20, null],
    ];
    // 20.00 and 10.00 at 8.25 %; shared, all of 125.00 is taxed.
    expect(reasonsOf(holiday(mug, 248))).toEqual([]);
    expect(codesOf(holiday(mug, 1031))).toEqual(['R31 783']);
  });

  test('makes an item taxed that stands alone', () => {
    expect(reasonsOf(holiday([[95, CLOTHES]], 866))).toEqual([]);
    expect(codesOf(holiday([[95, CLOTHES]], 0))).toEqual(['R11 -866']);
    expect(reasonsOf(holiday([[95, CLOTHES, 2]], 866))).toEqual([]);
    expect(codesOf(holiday([[95, CLOTHES, 2]], 1650))).toEqual(['R31 784']);
  });

  test('is shared on other days', () => {
    expect(
      codesOf(
        orderOf(
          HOUSTON,
          '2026-08-20',
          [
            [95, CLOTHES],
            [20, null],
          ],
          10,
          248,
        ),
      ),
    ).not.toEqual([]);
  });

  test('is given back as it was taxed', () => {
    const order = holiday(
      [
        [98, CLOTHES],
        [50, CLOTHES],
      ],
      0,
    );
    expect(codesOf({ ...order, salesTax: money(863) })).toEqual(['R31 863']);
    const refund: Sale = {
      ...refundOf({ ...order, salesTax: money(863) }),
      ...{ lines: order.lines.slice(0, 1), amount: money(9800), shipping: money(0), salesTax: money(809) },
    };
    const partOf = refundedPartOf(refund, { ...order, salesTax: money(863) }) as NonNullable<Sale['partOf']>;
    expect(codesOf({ ...refund, partOf })).toEqual(['R31 809']);
  });
});

describe('where the law on shipping is open, no shop is called wrong', () => {
  test.for([
    [
      'New York counts it towards 110.00',
      place('NY', '10001', 'New York'),
      '2026-10-05',
      [[105, CLOTHES]],
      10,
      1021,
    ],
    [
      'New York frees it with the clothes',
      place('NY', '12207', 'Albany'),
      '2026-10-05',
      [[20, CLOTHES]],
      10,
      120,
    ],
    [
      'Florida taxes what the buyer cannot avoid',
      place('FL', '32801', 'Orlando'),
      '2026-10-05',
      [[50, null]],
      10,
      390,
    ],
    [
      'Florida counts that on its holiday',
      place('FL', '32801', 'Orlando'),
      '2026-08-05',
      [[95, CLOTHES]],
      10,
      683,
    ],
    [
      'Florida taxes it on its holiday, and does not count it',
      place('FL', '32801', 'Orlando'),
      '2026-08-05',
      [
        [95, CLOTHES],
        [20, null],
      ],
      10,
      195,
    ],
    ...(
      [
        [
          'New York frees it with the clothes, and counts it',
          'NY',
          '12207',
          'Albany',
          '2026-10-05',
          105,
          1107,
        ],
        ['Arkansas shares and counts it', 'AR', '72201', 'Little Rock', '2026-08-01', 98, 902],
        ['Tennessee shares and counts it', 'TN', '37203', 'Nashville', '2026-07-31', 98, 1020],
      ] as const
    ).map(
      ([what, state, zip, city, day, dollars, tax]) =>
        [
          what,
          place(state, zip, city),
          day,
          [
            [dollars, CLOTHES],
            [50, CLOTHES],
          ],
          10,
          tax,
        ] as const,
    ),
    ['New Mexico counts it', place('NM', '87102', 'Albuquerque'), '2026-08-01', [[95, CLOTHES]], 10, 801],
    [
      'West Virginia frees it on its holiday',
      place('WV', '25301', 'Charleston'),
      '2026-08-01',
      [[95, CLOTHES]],
      10,
      0,
    ],
    [
      'Indiana shares it',
      place('IN', '46204', 'Indianapolis'),
      '2026-10-05',
      [
        [50, null],
        [50, '40030'],
      ],
      10,
      385,
    ],
    [
      'Pennsylvania does not say what it does in a mixed order',
      place('PA', '15219', 'Pittsburgh'),
      '2026-10-05',
      [
        [50, null],
        [50, '40030'],
      ],
      10,
      385,
    ],
  ] as const)('%s', ([, shipTo, day, items, freight, tax]) => {
    expect(codesOf(orderOf(shipTo, day, items, freight, tax))).toEqual([expect.stringMatching(/^R31 /)]);
  });

  test('and what is expected stays', () => {
    expect(
      answerTo(orderOf(place('NY', '10001', 'New York'), '2026-10-05', [[105, CLOTHES]], 10, 0))
        .amount_to_collect,
    ).toBe(0);
    expect(
      answerTo(orderOf(place('WV', '25301', 'Charleston'), '2026-08-01', [[95, CLOTHES]], 10, 0))
        .amount_to_collect,
    ).toBe(70);
  });
});

const COLUMBUS = place('OH', '43215', 'Columbus');
const ORLANDO = place('FL', '32801', 'Orlando');

describe('shipping that a shop divides over the lines', () => {
  const columbus = (freight: number, tax: number) =>
    orderOf(
      COLUMBUS,
      '2026-10-05',
      [
        [2500, null],
        [6000, '40030'],
      ],
      freight,
      tax,
    );

  test('in whole cents moves the tax by a cent where half a cent is near', () => {
    // 2,504.438235 at 8 % is 200.355059; with 4.43 of shipping it is 200.3544.
    expect(answerTo(columbus(15.09, 0)).amount_to_collect).toBe(20036);
    expect(reasonsOf(columbus(15.09, 20035))).toEqual([
      'R01 -1: recomputed with shipping divided over the lines in whole cents: 200.35',
    ]);
    expect(codesOf(columbus(15.09, 20037))).toEqual(['R99 1']);
    expect(codesOf(columbus(15.09, 20034))).toEqual(['R99 -2']);
  });

  test('explains no cent otherwise', () => {
    // 2,504.408824 at 8 % is 200.352706.
    expect(answerTo(columbus(14.99, 0)).amount_to_collect).toBe(20035);
    expect(codesOf(columbus(14.99, 20034))).toEqual(['R99 -1']);
    expect(codesOf(columbus(14.99, 20036))).toEqual(['R99 1']);
  });

  test('can be taxed and rounded with each line', () => {
    const items: readonly Item[] = [
      [15.39, null],
      [18.39, null],
      [20, '40030'],
    ];
    // 16.82 and 20.10 at 8 % are 1.35 and 1.61; rounded once, they are 2.95.
    expect(reasonsOf(orderOf(COLUMBUS, '2026-10-05', items, 5, 296))).toEqual([
      'R01 1: recomputed rounded per line, each with its share of shipping: 2.96',
    ]);
  });

  test('does so by another reading of the law, too', () => {
    const items: readonly Item[] = [
      [12.17, null],
      [20, '40030'],
    ];
    const chicago = place('IL', '60601', 'Chicago');
    expect(codesOf(orderOf(chicago, '2026-10-05', items, 5, 176))).toEqual(['R31 24', 'R01 -1']);
  });
});

describe('a refund follows the reading by which its order was charged', () => {
  const back = (order: Sale, freight: number, tax: number) => {
    const amount = money(order.amount - order.shipping + freight * 100);
    const refund: Sale = { ...refundOf(order), amount, shipping: money(freight * 100), salesTax: money(tax) };
    return codesOf({ ...refund, partOf: refundedPartOf(refund, order) as NonNullable<Sale['partOf']> });
  };

  test('and no other', () => {
    const order = (tax: number) => orderOf(ORLANDO, '2026-10-05', [[50, null]], 10, tax);
    expect(back(order(390), 5, 358)).toEqual(['R31 33']);
    expect(back(order(325), 5, 358)).toEqual(['R06 33']);
  });

  test('so tax that was charged is given back', () => {
    const order = (tax: number) =>
      orderOf(place('WV', '25301', 'Charleston'), '2026-08-01', [[95, CLOTHES]], 10, tax);
    expect(back(order(0), 10, 0)).toEqual(['R31 -70']);
    expect(back(order(70), 10, 0)).toEqual(['R29 -70']);
  });
});

test('a shop that follows another reading can have a wrong rate beside it', () => {
  expect(codesOf(orderOf(ORLANDO, '2026-10-05', [[50, null]], 10, 360))).toEqual(['R31 65', 'R02 -30']);
});

describe('a tax on the seller’s receipts, its own tax included', () => {
  const honolulu = place('HI', '96813', 'Honolulu');
  const order = (tax: number) => orderOf(honolulu, '2026-10-05', [[1000, null]], 10, tax);

  test('may be charged with the tax on it', () => {
    expect(reasonsOf(order(4545))).toEqual([]);
    // 4.5 % of all receipts is 4.5 / 95.5 of the price.
    expect(reasonsOf(order(4759))).toEqual([
      'R31 214: recomputed with the tax on the tax passed on, 4.712% in all: 47.59',
    ]);
    expect(codesOf(order(4800))).not.toContain('R31 214');
  });

  test('and be given back as it was charged', () => {
    const refund: Sale = { ...refundOf(order(4759)), salesTax: money(4759) };
    const partOf = refundedPartOf(refund, order(4759));
    expect(codesOf(partOf ? { ...refund, partOf } : refund)).toEqual(['R31 214']);
  });

  test('is no reading where the tax is the buyer’s', () => {
    const albuquerque = place('NM', '87102', 'Albuquerque');
    expect(codesOf(orderOf(albuquerque, '2026-10-05', [[1000, null]], 0, 8254))).not.toEqual([
      expect.stringMatching(/^R31/),
    ]);
  });
});
