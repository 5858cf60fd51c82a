import { describe, expect, test } from 'vitest';
import { refundedPartOf } from '../../../src/close/sales/refunded-part.ts';
import type { Sale } from '../../../src/close/sales/sale.ts';
import { money } from '../../../src/kernel/money.ts';
import { price } from '../../../src/kernel/price.ts';
import { LINE, refundOf, saleOf } from '../sales/sale-of.ts';
import { answerTo, reasonsOf } from './repaid-orders.ts';

const ORLANDO = { country: 'US', state: 'FL', zip: '32801', city: 'Orlando', street: '' };
const BOSTON = { country: 'US', state: 'MA', zip: '02108', city: 'Boston', street: '' };
const NEW_YORK = { country: 'US', state: 'NY', zip: '10001', city: 'New York', street: '' };
const NASHVILLE = { country: 'US', state: 'TN', zip: '37203', city: 'Nashville', street: '' };
const PROVIDENCE = { country: 'US', state: 'RI', zip: '02903', city: 'Providence', street: '' };

const pieces = (dollars: number, taxCode: string | null, quantity = 1) => [
  { ...LINE, quantity, unitPrice: price(dollars * 10_000), taxCode },
];

const orderOf = (shipTo: Sale['shipTo'], dollars: number, taxCode: string | null, quantity = 1): Sale => {
  const order = saleOf({
    ...{ shipTo, lines: pieces(dollars, taxCode, quantity), shipping: money(0) },
    amount: money(dollars * quantity * 100),
  });
  return { ...order, salesTax: answerTo(order).amount_to_collect };
};

/** A refund of some dollars of an order, and of so much tax. */
const back = (order: Sale, dollars: number, tax: number, quantity = 1) => {
  const taxCode = order.lines[0]?.taxCode ?? null;
  const refund: Sale = {
    ...refundOf(order),
    ...{ lines: pieces(dollars, taxCode, quantity), amount: money(dollars * quantity * 100) },
    salesTax: money(tax),
  };
  return reasonsOf({ ...refund, partOf: refundedPartOf(refund, order) as NonNullable<Sale['partOf']> });
};

const left = (share: string, tax: string) =>
  `recomputed by the price that is left after the allowance (its share of the tax of the order is ${share}): ${tax}`;

describe('an allowance on an item with a limit', () => {
  test('of which the surtax of Florida took the first 5,000.00', () => {
    const order = orderOf(ORLANDO, 6000, null);
    expect(back(order, 500, 3000)).toEqual([`R30 -208: ${left('32.08', '30.00')}`]);
    expect(back(order, 2000, 12_500)).toEqual([`R30 -333: ${left('128.33', '125.00')}`]);
    expect(back(order, 500, 3208)).toEqual([]);
    expect(back({ ...order, salesTax: money(36_000) }, 500, 3000)).toEqual([
      'R02 -208: recomputed at the state rate alone: 30.00',
    ]);
  });

  test.for([
    [BOSTON, 200, 30, 156, '0.23', '1.56'],
    [BOSTON, 200, 10, 63, '0.08', '0.63'],
    [PROVIDENCE, 300, 20, 140, '0.23', '1.40'],
  ] as const)(
    'of which %o taxes what is above its limit: %d, %d given back',
    ([place, sold, dollars, tax, share, given]) => {
      const order = orderOf(place, sold, '20010');
      expect(back(order, dollars, tax)).toEqual([expect.stringMatching(/^R30 /)]);
      expect(back(order, dollars, tax)[0]).toContain(left(share, given));
    },
  );

  test('that comes below the price under which New York exempts it', () => {
    const coat = orderOf(NEW_YORK, 120, '20010');
    expect(back(coat, 15, 1065)).toEqual([`R30 932: ${left('1.33', '10.65')}`]);
    expect(back(coat, 5, 44)).toEqual([]);
  });

  test('that is an amount without lines', () => {
    const order = orderOf(NEW_YORK, 120, '20010');
    const refund = { ...refundOf(order), lines: [], amount: money(1500), salesTax: money(1065) };
    const partOf = refundedPartOf(refund, order) as NonNullable<Sale['partOf']>;
    expect(reasonsOf({ ...refund, partOf })).toEqual([`R30 932: ${left('1.33', '10.65')}`]);
  });

  test('of which Tennessee taxes a band', () => {
    const machine = orderOf(NASHVILLE, 4000, null);
    expect(back(machine, 500, 3500)).toEqual([`R30 -1100: ${left('46.00', '35.00')}`]);
    expect(back(machine, 1000, 7550)).toEqual([`R30 -1650: ${left('92.00', '75.50')}`]);
  });

  test('is not a piece that comes back, nor anything that is taxed in full', () => {
    const two = orderOf(ORLANDO, 6000, null, 2);
    expect(back(two, 6000, 38_500)).toEqual([]);
    expect(back(two, 6000, 36_000)).toEqual(['R02 -2500: recomputed at the state rate alone: 360.00']);
    expect(back(orderOf(ORLANDO, 600, null), 100, 600)).toEqual([
      'R02 -50: recomputed at the state rate alone: 6.00',
    ]);
  });
});

describe('a line that comes back with its share of the shipping', () => {
  const refundOfFirst = (
    place: Sale['shipTo'],
    codes: readonly (string | null)[],
    charged: number,
    tax: number,
    freight = 500,
  ) => {
    const lines = codes.map((taxCode, index) => ({
      ...LINE,
      ...{ id: String(index + 1), sku: `S-${index}`, quantity: 1, unitPrice: price(500_000), taxCode },
    }));
    const order = saleOf({
      shipTo: place,
      lines,
      shipping: money(1000),
      amount: money(11_000),
      salesTax: money(charged),
    });
    const refund: Sale = {
      ...refundOf(order),
      ...{
        lines: lines.slice(0, 1),
        shipping: money(freight),
        amount: money(5000 + freight),
        salesTax: money(tax),
      },
    };
    expect(answerTo(order).amount_to_collect).toBe(charged);
    return reasonsOf({ ...refund, partOf: refundedPartOf(refund, order) as NonNullable<Sale['partOf']> });
  };
  const by = (share: string, tax: string) =>
    `recomputed by what is left of the order (its share of the tax of the order is ${share}): ${tax}`;
  const PRINCETON = { country: 'US', state: 'NJ', zip: '08540', city: 'Princeton', street: '' };
  const PITTSBURGH = { country: 'US', state: 'PA', zip: '15222', city: 'Pittsburgh', street: '' };

  test('gives back no tax where it bore none', () => {
    expect(refundOfFirst(PRINCETON, ['40030', null], 364, 0)).toEqual([`R31 -17: ${by('0.17', '0.00')}`]);
  });

  test('gives back all of it where nothing taxed is left', () => {
    expect(refundOfFirst(PITTSBURGH, [null, '40030'], 420, 420)).toEqual([`R31 35: ${by('3.85', '4.20')}`]);
  });

  test('gives back the tax of all of the shipping with it', () => {
    expect(refundOfFirst(PITTSBURGH, ['40030', null], 420, 0, 1000)).toEqual([
      'R29 -70: its order was charged 4.20, and 0.70 of it was to be given back',
    ]);
  });
});
