import { describe, expect, test } from 'vitest';
import { postingOf } from '../../src/sales/sale.ts';
import { continuation, readOrder, readRows, row } from './shopify-export.ts';

describe('an order of a Shopify export', () => {
  test('is read with its day where the seller is, its place, and all of its amounts', async () => {
    const { order, refunded } = await readOrder(row({ Subtotal: '90.00', Total: '109.50' }), continuation());
    expect(refunded).toBe(0);
    expect(order).toEqual({
      key: 'shopify/order/1001',
      channel: 'shopify',
      kind: 'order',
      id: '1001',
      reference: null,
      instant: Date.UTC(2026, 10, 1, 6, 30),
      businessDate: '2026-10-31',
      taxDate: '2026-10-31',
      shipTo: { country: 'US', state: 'CA', zip: '90012', city: 'Los Angeles', street: '200 N Spring St' },
      currency: 'USD',
      amount: 10_000,
      shipping: 1_000,
      salesTax: 950,
      marketplaceTax: 0,
      taxLines: [],
      exemptionType: null,
      customerId: null,
      lines: [
        expect.objectContaining({ id: '1', quantity: 2, unitPrice: 500_000, discount: 100_000 }),
        expect.objectContaining({ id: '2', quantity: 1, unitPrice: 0, discount: 0 }),
      ],
      outcome: 'accepted',
      findings: [],
      origin: { file: 'orders_export.csv', line: 2, record: '#1001' },
      rows: 2,
    });
    expect(postingOf(order)).toBe('posted');
  });

  test.for([
    [{}, 'accepted', [], 'posted', 'nothing is wrong'],
    [{ 'Cancelled at': 'x' }, 'review', ['cancelled-but-paid'], 'needs review', 'cancelled, and paid'],
    [{ Currency: 'cad' }, 'accepted', [], 'not USD', 'another currency'],
    [{ 'Shipping Country': 'CA', 'Shipping Zip': 'M5V 2T6' }, 'accepted', [], 'foreign', 'another country'],
    [
      { 'Shipping Country': 'CA' },
      'review',
      ['zip-not-in-country'],
      'needs review',
      'with a ZIP of California',
    ],
    [{ 'Shipping Country': '' }, 'review', ['no-country'], 'needs review', 'no country is not a foreign one'],
    [{ 'Shipping Zip': '89101' }, 'review', ['zip-not-in-state'], 'needs review', 'the ZIP of another state'],
  ] as const)('with %j is %s %j, so %s: %s', async ([cells, outcome, codes, posting]) => {
    const { order } = await readOrder(row(cells));
    expect(order.outcome).toBe(outcome);
    expect(order.findings.map(({ code }) => code)).toEqual(codes);
    expect(postingOf(order)).toBe(posting);
  });

  test('with a line below nothing has a discount of that much on its other lines', async () => {
    const { order } = await readOrder(
      row({ Subtotal: '95.00', Total: '114.50' }),
      continuation({ 'Lineitem price': '-5.00' }),
    );
    expect(order.outcome).toBe('warning');
    expect(order.amount).toBe(10_500);
    expect(order.lines).toMatchObject([{ quantity: 2, unitPrice: 500_000, discount: 50_000 }]);
    expect(order.findings).toEqual([
      { code: 'negative-line', message: 'a line below nothing was taken as a discount on the others' },
    ]);
  });
});

describe('a record that is not a sale', () => {
  test.for([
    [{ 'Financial Status': 'voided' }, 'ignored', 'voided', 'the payment was voided, so nothing was sold'],
    [
      { 'Financial Status': 'settled' },
      'rejected',
      'unmapped-status',
      'no rule of the profile says what a record with "settled" in Financial Status is',
    ],
    [{ Subtotal: '' }, 'rejected', 'bad-cell', '"" in Subtotal is blank'],
    [{ Taxes: '#REF!' }, 'rejected', 'bad-cell', '"#REF!" in Taxes is not an amount'],
    [{ Total: '11,19.50' }, 'rejected', 'bad-cell', '"11,19.50" in Total is not an amount'],
    [{ Subtotal: '100.005' }, 'rejected', 'bad-cell', '"100.005" in Subtotal is finer than a cent'],
    [
      { 'Refunded Amount': '0.001' },
      'rejected',
      'bad-cell',
      '"0.001" in Refunded Amount is finer than a cent',
    ],
    [
      { 'Lineitem quantity': 'two' },
      'rejected',
      'bad-cell',
      '"two" in Lineitem quantity is not a whole number',
    ],
    [
      { 'Created at': '10/31/2026' },
      'rejected',
      'bad-cell',
      '"10/31/2026" in Created at is not a date and time of the form yyyy-MM-dd HH:mm:ss ZZZ',
    ],
  ] as const)('%j is %s as %s: %s', async ([cells, outcome, code, message]) => {
    expect(await readRows([row(cells)])).toMatchObject({
      outcome,
      reason: { code, message },
      origin: { file: 'orders_export.csv', line: 2, record: '#1001' },
      businessDate: 'Created at' in cells ? null : '2026-10-31',
      rows: [{ line: 2, cells: row(cells) }],
    });
  });

  test('names the value that is wrong, so that it can be repaired', async () => {
    expect(await readRows([row({ Taxes: 'n/a' })])).toMatchObject({
      reason: { column: 'Taxes' },
      value: 'n/a',
    });
  });

  test.for([
    [
      [continuation()],
      'orphan-row',
      'the row does not begin an order, and no order stands before it that it continues',
      true,
    ],
    [[continuation({ 'Created at': '' })], 'orphan-row', 'the row does not begin an order', false],
    [[[...row(), 'more']], 'cell-count', 'the row on line 2 has 29 cells, and the header has 28', false],
  ] as const)('nor is %#, a stray row: $1', async ([rows, code, message, isDated]) => {
    const record = await readRows(rows);
    expect(record).toMatchObject({
      outcome: 'rejected',
      reason: { code, message: expect.stringContaining(message) },
      businessDate: isDated ? '2026-10-31' : null,
    });
  });
});

test.for([
  ['2026-10-31 23:30:00 -0700', '2026-10-31', 'with the offset of the store'],
  ['2026-11-01 06:30:00 UTC', '2026-10-31', 'or in UTC'],
  ['2026-11-01 02:30:00 -0400', '2026-10-31', 'or of a store on the other coast'],
  ['2026-11-01 00:00:00 -0700', '2026-11-01', 'the next day starts at midnight'],
] as const)('an order created at %s is of %s: %s', async ([cell, date]) => {
  expect((await readOrder(row({ 'Created at': cell }))).order.businessDate).toBe(date);
});
