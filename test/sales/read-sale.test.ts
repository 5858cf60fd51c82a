import { describe, expect, test } from 'vitest';
import { postingOf } from '../../src/sales/sale.ts';
import { type Cells, continuation, readOrder, readRows, row, shopify } from './shopify-export.ts';

const NO_SHIP_TO: Cells = {
  'Shipping Address1': '',
  'Shipping City': '',
  'Shipping Zip': '',
  'Shipping Province': '',
  'Shipping Country': '',
};
const NO_BILL_TO: Cells = {
  'Billing Address1': '',
  'Billing City': '',
  'Billing Zip': '',
  'Billing Province': '',
  'Billing Country': '',
};

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
    [{ 'Financial Status': 'refunded' }, 'accepted', [], 'posted', 'what was sold was sold'],
    [
      { 'Financial Status': 'refunded', 'Cancelled at': 'x' },
      'accepted',
      [],
      'posted',
      'cancelled and given back',
    ],
    [
      { 'Financial Status': 'partially_refunded', 'Refunded Amount': '10.00' },
      'accepted',
      [],
      'posted',
      'given back in part',
    ],
    [
      { 'Financial Status': 'partially_refunded', 'Refunded Amount': '0.00' },
      'review',
      ['partly-refunded'],
      'needs review',
      'given back in part, and the export does not say how much',
    ],
    [{ 'Financial Status': 'partially_paid' }, 'review', ['partly-paid'], 'needs review', 'paid in part'],
    [
      { 'Cancelled at': 'x' },
      'review',
      ['cancelled-but-paid'],
      'needs review',
      'cancelled, but the money is kept',
    ],
    [{ Total: '119.51' }, 'review', ['total-differs'], 'needs review', 'the parts are not the whole'],
    [
      { Subtotal: '101.00', Total: '120.50' },
      'review',
      ['lines-differ'],
      'needs review',
      'the lines are too cheap',
    ],
    [{ 'Refunded Amount': '119.51' }, 'review', ['over-refunded'], 'needs review', 'more was given back'],
    [
      { Shipping: '-10.00', Total: '99.50' },
      'review',
      ['negative-order'],
      'needs review',
      'an amount below zero',
    ],
    [
      {
        'Lineitem price': '-85.00',
        Subtotal: '-100.00',
        Shipping: '0.00',
        Taxes: '0.00',
        Total: '-100.00',
        'Refunded Amount': '0.00',
      },
      'review',
      ['negative-order', 'negative-line'],
      'needs review',
      'an order below zero of which nothing was refunded',
    ],
    [
      { 'Refunded Amount': '-10.00' },
      'review',
      ['adjustment'],
      'needs review',
      'a refund below zero on its order',
    ],
    [{ Currency: 'cad' }, 'accepted', [], 'not USD', 'another currency'],
    [{ 'Shipping Country': 'CA', 'Shipping Zip': 'M5V 2T6' }, 'accepted', [], 'foreign', 'another country'],
    [
      { 'Shipping Country': 'CA' },
      'review',
      ['zip-not-in-country'],
      'needs review',
      'Canada, with a ZIP of California',
    ],
    [{ 'Shipping Country': '' }, 'review', ['no-country'], 'needs review', 'no country is not a foreign one'],
    [{ 'Shipping Zip': '89101' }, 'review', ['zip-not-in-state'], 'needs review', 'the ZIP of another state'],
    [{ ...NO_SHIP_TO, Source: 'pos' }, 'warning', ['sold-in-person'], 'posted', 'sold over the counter'],
    [NO_SHIP_TO, 'review', ['place-unclear'], 'needs review', 'nobody knows where it went'],
    [
      { ...NO_SHIP_TO, ...NO_BILL_TO },
      'review',
      ['no-country'],
      'needs review',
      'there is no address at all',
    ],
  ] as const)('with %j is %s %j, so %s: %s', async ([cells, outcome, codes, posting]) => {
    const { order } = await readOrder(row(cells));
    expect(order.outcome).toBe(outcome);
    expect(order.findings.map(({ code }) => code)).toEqual(codes);
    expect(postingOf(order)).toBe(posting);
  });

  test.for([
    [{ ...NO_SHIP_TO, Source: 'pos' }, { state: 'CA', zip: '95814' }, 'the place of the seller'],
    [NO_SHIP_TO, { state: 'MA', zip: '02139' }, 'the billing address'],
  ] as const)('that is not shipped (%j) happens at %j: %s', async ([cells, place]) => {
    expect((await readOrder(row(cells))).order.shipTo).toMatchObject(place);
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

  test('is found in any order of lines to have the same amounts', async () => {
    const cheap = { 'Lineitem price': '0.00', 'Lineitem name': 'Cap' };
    const one = (await readOrder(row(), continuation(cheap))).order;
    const other = (
      await readOrder(
        row({ ...cheap, 'Lineitem quantity': '1' }),
        continuation({ 'Lineitem price': '100.00' }),
      )
    ).order;
    expect([one.amount, one.salesTax, one.outcome]).toEqual([other.amount, other.salesTax, other.outcome]);
  });
});

describe('a record that is not a sale', () => {
  test.for([
    [
      { 'Payment Method': 'bogus' },
      'ignored',
      'test-order',
      'a test order of the Bogus gateway is not a sale',
    ],
    [
      { 'Payment Method': '(for testing) Bogus Gateway' },
      'ignored',
      'test-order',
      'a test order of the Bogus gateway is not a sale',
    ],
    [{ 'Financial Status': 'voided' }, 'ignored', 'voided', 'the payment was voided, so nothing was sold'],
    [{ 'Financial Status': 'pending' }, 'ignored', 'unpaid', 'the order has not been paid'],
    [{ 'Financial Status': 'authorized' }, 'ignored', 'unpaid', 'the order has not been paid'],
    [{ 'Financial Status': 'expired' }, 'ignored', 'unpaid', 'the order has not been paid'],
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

  test('is what a rule of the profile rejects', async () => {
    const rules = [
      { when: [{ column: 'Source', in: ['amazon'] }], treat: 'reject' as const, reason: 'other-channel' },
    ];
    expect(await readRows([row({ Source: 'amazon' })], { ...shopify, rules })).toMatchObject({
      outcome: 'rejected',
      reason: { code: 'other-channel', message: 'by a rule of the profile' },
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
