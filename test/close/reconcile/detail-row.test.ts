import { describe, expect, test } from 'vitest';
import { detailRowOf, varianceOf } from '../../../src/close/reconcile/detail-row.ts';
import { refundOf, saleOf } from '../sales/sale-of.ts';
import { rowOf } from './detail-rows.ts';

describe('the row of a sale', () => {
  test('tells where it comes from, when it was, and its figures', () => {
    expect(rowOf()).toMatchObject({
      key: 'shopify/order/1001',
      record: '#1001',
      file: 'orders_export.csv',
      line: 2,
      businessDate: '2026-10-31',
      instant: Date.UTC(2026, 10, 1, 6, 30),
      state: 'CA',
      isPosted: true,
      gross: 11_000,
      shipping: 1_000,
      taxable: 10_000,
      collected: 950,
      expected: 825,
      recorded: 950,
      isRecorded: true,
      status: 'unexplained',
    });
  });

  test('of a refund is below zero in every figure', () => {
    const refund = rowOf(refundOf(saleOf()));
    expect(refund).toMatchObject({ reference: '1001', gross: -11_000, shipping: -1_000, taxable: -10_000 });
    expect([refund.collected, refund.expected, refund.recorded]).toEqual([-950, -825, -950]);
  });

  test('has a variance: positive where too much was charged, negative where that was given back', () => {
    expect(varianceOf(rowOf())).toBe(125);
    expect(varianceOf(rowOf(refundOf(saleOf())))).toBe(-125);
  });

  test.for([
    [
      saleOf({ outcome: 'review', findings: [{ code: 'x', message: 'look at it' }] }),
      'needs review',
      'look at it',
    ],
    [saleOf({ currency: 'CAD' }), 'not USD', ''],
    [saleOf({ shipTo: { ...saleOf().shipTo, country: 'CA' } }), 'foreign', ''],
  ] as const)('that is not posted shows its amounts, and says why: $1', ([sale, status, detail]) => {
    expect(rowOf(sale)).toMatchObject({
      isPosted: false,
      status,
      detail,
      gross: 11_000,
      collected: 950,
      expected: 0,
      recorded: 0,
      isRecorded: false,
      reasons: [],
      levels: [],
    });
  });

  test('that was posted and never reconciled is not calculated', () => {
    expect(detailRowOf(saleOf(), 'posted', undefined)).toMatchObject({
      status: 'not calculated',
      expected: 0,
    });
  });
});
