import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DetailRow } from '../../../src/close/reconcile/detail-row.ts';
import {
  addRecorded,
  addRow,
  emptyTotals,
  hasReversals,
  inKeyOrder,
  joinTotals,
  keptTotals,
  type StatedReason,
  withoutSigns,
} from '../../../src/close/reconcile/period-totals.ts';
import { absolute, add, money, negate, sum } from '../../../src/kernel/money.ts';
import { anySale, refundOf, saleOf } from '../sales/sale-of.ts';
import { rowOf } from './detail-rows.ts';

const totalsOf = (rows: readonly DetailRow[]) => {
  const totals = emptyTotals();
  for (const row of rows) addRow(totals, row);
  return totals;
};

const inState = (state: string) => saleOf({ shipTo: { ...saleOf().shipTo, state } });
const NOT_POSTED = saleOf({ currency: 'CAD' });

describe('the totals of a state', () => {
  test('are those of its posted sales, refunds with their minus', () => {
    const { states, rows } = totalsOf([
      rowOf(),
      rowOf(),
      rowOf(refundOf(saleOf())),
      rowOf(inState('NV')),
      rowOf(NOT_POSTED),
    ]);
    expect(rows).toBe(5);
    expect([...states.keys()]).toEqual(['CA', 'NV']);
    expect(states.get('CA')).toEqual({
      state: 'CA',
      orders: 2,
      refunds: 1,
      gross: 11_000,
      marketplace: 0,
      shipping: 1_000,
      taxable: 10_000,
      collected: 950,
      expected: 825,
      recorded: 950,
    });
  });

  test('name what was sold on marketplaces, which is not taxable to the seller', () => {
    const row = { ...rowOf(), exemption: 'marketplace', gross: money(110_00), taxable: money(0) };
    const { states } = totalsOf([row, { ...row, kind: 'refund', gross: money(-10_00) }, rowOf()]);
    expect(states.get('CA')?.marketplace).toBe(100_00);
  });

  test('come to nothing for an order and its full refund', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        const order = { ...sale, kind: 'order' as const };
        const state = totalsOf([rowOf(order), rowOf(refundOf(order))]).states.get('CA');
        for (const figure of ['gross', 'shipping', 'taxable', 'collected', 'expected', 'recorded'] as const) {
          expect(state?.[figure]).toBe(0);
        }
      }),
    );
  });

  test('do not depend on the order of the rows', () => {
    fc.assert(
      fc.property(fc.array(anySale, { maxLength: 8 }), (sales) => {
        const rows = sales.map((sale) => rowOf(sale));
        const [forward, backward] = [totalsOf(rows), totalsOf([...rows].reverse())];
        for (const part of ['states', 'jurisdictions', 'reasons', 'days'] as const) {
          expect(inKeyOrder<unknown>(forward[part])).toEqual(inKeyOrder<unknown>(backward[part]));
        }
      }),
    );
  });
});

describe('the totals of a jurisdiction', () => {
  test('are kept apart by state, level, name and rate, and add up to what was expected', () => {
    const { jurisdictions, states } = totalsOf([rowOf(), rowOf(), rowOf(inState('NV'))]);
    const found = inKeyOrder(jurisdictions);
    expect(found.map(({ state, level, name, taxable, tax }) => [state, level, name, taxable, tax])).toEqual([
      ['CA', 'city', 'SANTA MONICA', 20_000, 400],
      ['CA', 'state', 'CA', 20_000, 1_250],
      ['NV', 'city', 'SANTA MONICA', 10_000, 200],
      ['NV', 'state', 'CA', 10_000, 625],
    ]);
    const expected = sum([...states.values()].map((state) => state.expected));
    expect(sum(found.map(({ tax }) => tax))).toBe(expected);
  });
});

describe('the totals of a reason', () => {
  const withReasons = (...reasons: DetailRow['reasons']) => rowOf(saleOf(), { reasons });
  const reason = (code: 'R02' | 'R06' | 'R99', cents: number) => ({ code, amount: money(cents), proof: '' });

  test('keep what was charged too much apart from what was charged too little', () => {
    const { reasons } = totalsOf([
      withReasons(reason('R06', 83)),
      withReasons(reason('R06', -50), reason('R02', 5)),
    ]);
    expect(inKeyOrder(reasons)).toEqual([
      { code: 'R02', sales: 1, over: 5, under: 0, reversed: 0 },
      { code: 'R06', sales: 2, over: 83, under: -50, reversed: 0 },
    ]);
  });

  test('count a sale once, even if two steps of its proof have one code', () => {
    const { reasons } = totalsOf([withReasons(reason('R02', 30), reason('R02', -10))]);
    expect(inKeyOrder(reasons)).toEqual([{ code: 'R02', sales: 1, over: 30, under: -10, reversed: 0 }]);
  });

  test('leave out what is not posted', () => {
    expect(totalsOf([rowOf(NOT_POSTED, { reasons: [reason('R02', 1)] })]).reasons.size).toBe(0);
  });

  /** The reversal of a filed order. */
  const reversal = (...reasons: DetailRow['reasons']) =>
    rowOf(refundOf(saleOf()), { id: '1001-late-1-reversal', reasons });

  test('have what a reversal takes back on the side where it was filed', () => {
    const rows = [reversal(reason('R02', 200), reason('R06', -30)), withReasons(reason('R06', 100))];
    const { reasons } = totalsOf(rows);
    expect(inKeyOrder(reasons)).toEqual([
      { code: 'R02', sales: 1, over: 0, under: 200, reversed: 200 },
      { code: 'R06', sales: 2, over: 70, under: 0, reversed: 30 },
    ]);
    expect(hasReversals(inKeyOrder(reasons))).toBe(true);
  });

  test('take a refund by its sign: it reverses nothing that was filed', () => {
    const refund = rowOf(refundOf(saleOf()), { reasons: [reason('R02', 200)] });
    const { reasons } = totalsOf([refund]);
    expect(inKeyOrder(reasons)).toEqual([{ code: 'R02', sales: 1, over: 200, under: 0, reversed: 0 }]);
    expect(hasReversals(inKeyOrder(reasons))).toBe(false);
  });

  test('of a closing of an earlier build have nothing reversed', () => {
    const stated: StatedReason = { code: 'R99', sales: 2, over: money(5), under: money(-3) };
    expect([withoutSigns(stated), hasReversals([stated])]).toEqual([8, false]);
  });

  const anyAmounts = fc.array(fc.integer({ min: -500, max: 500 }).map(money), { maxLength: 8 });

  test('are those of the other sales where a filed version and its reversal are both among them', () => {
    fc.assert(
      fc.property(anyAmounts, anyAmounts, (filed, others) => {
        const of = (amount: number) => reason('R02', amount);
        const rest = [withReasons(of(0)), ...others.map((amount) => withReasons(of(amount)))];
        const both = filed.flatMap((amount) => [withReasons(of(amount)), reversal(of(negate(amount)))]);
        const [found, wanted] = [[...rest, ...both], rest].map((rows) => totalsOf(rows).reasons.get('R02'));
        expect([found?.over, found?.under]).toEqual([wanted?.over, wanted?.under]);
      }),
    );
  });

  test('add up to the variance, and without signs to the size of each amount, wherever pages are cut', () => {
    fc.assert(
      fc.property(anyAmounts, anyAmounts, (sold, reversed) => {
        const totals = totalsOf(sold.map((amount) => withReasons(reason('R99', amount))));
        const page = totalsOf(reversed.map((amount) => reversal(reason('R99', amount))));
        joinTotals(totals, keptTotals(page));
        const all = [...sold, ...reversed];
        for (const found of totals.reasons.values()) {
          expect(add(found.over, found.under)).toBe(sum(all));
          expect(withoutSigns(found)).toBe(sum(all.map(absolute)));
        }
        expect(totals.reasons.size).toBe(all.length === 0 ? 0 : 1);
      }),
    );
  });
});

describe('the totals of a day and channel', () => {
  test('count what was exported, posted, missing, and what came back', () => {
    const totals = totalsOf([
      rowOf(),
      rowOf(refundOf(saleOf())),
      rowOf(NOT_POSTED),
      rowOf(saleOf(), { isRecorded: false }),
    ]);
    addRecorded(totals, '2026-10-31', 'shopify', { records: 1, amount: money(11_000), tax: money(950) });
    addRecorded(totals, '2026-10-31', 'amazon', { records: 1, amount: money(500), tax: money(0) });
    const day = {
      day: '2026-10-31',
      channel: 'shopify',
      orders: 3,
      refunds: 0,
      posted: 2,
      recorded: 1,
      missing: 1,
    };
    expect(inKeyOrder(totals.days)).toEqual([
      expect.objectContaining({ channel: 'amazon', orders: 0, recorded: 1, recordedAmount: 500 }),
      { ...day, amount: 22_000, tax: 1_900, recordedAmount: 11_000, recordedTax: 950 },
      expect.objectContaining({ day: '2026-11-03', refunds: 1, posted: 1, amount: -11_000, tax: -950 }),
    ]);
  });
});

test('a listing goes by the keys, not by what came first', () => {
  expect(
    inKeyOrder(
      new Map([
        ['b', 2],
        ['a', 1],
        ['B', 3],
      ]),
    ),
  ).toEqual([3, 1, 2]);
});
