import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldDifference } from '../../../src/close/reconcile/compare-record.ts';
import { levelsOf, reconcileSale, type ToReconcile } from '../../../src/close/reconcile/reconciled-sale.ts';
import { type Money, money, sum } from '../../../src/kernel/money.ts';
import { price } from '../../../src/kernel/price.ts';
import { anyOrderAmount } from '../../support/arbitraries.ts';
import { saleOf } from '../sales/sale-of.ts';
import { recordedOf } from './recorded-of.ts';
import { anyResult, plain, resultOf, unit, WITHOUT_NEXUS } from './result-of.ts';

const EXPECTED = resultOf([plain(10_000)]);
const RECORDED = recordedOf(saleOf(), { sales_tax: price(82_500) });
const difference = (kind: 'format' | 'value'): FieldDifference => ({
  field: 'to_city',
  sent: 'a',
  recorded: 'A',
  kind,
});

const given = (changes: Partial<ToReconcile> = {}): ToReconcile => ({
  kind: 'order',
  collected: money(825),
  shipping: money(0),
  expectation: { basis: 'calculated', result: EXPECTED, alternatives: [] },
  recorded: RECORDED,
  differences: [],
  detail: '',
  ...changes,
});

describe('a sale with its three figures', () => {
  test.for([
    [{}, 'tied out', 'all three agree'],
    [{ differences: [difference('format')] }, 'tied out', 'another way of writing is no difference'],
    [{ collected: money(0) }, 'explained', 'the difference has a reason'],
    [{ collected: money(826) }, 'unexplained', 'the difference has none'],
    [{ differences: [difference('value')] }, 'recorded otherwise', 'the service holds something else'],
    [{ recorded: undefined }, 'not recorded', 'the service holds nothing'],
    [{ expectation: undefined }, 'not calculated', 'the service gave no calculation'],
    [{ expectation: undefined, recorded: undefined }, 'not recorded', 'what is missing weighs more'],
    [
      { differences: [difference('value')], collected: money(826) },
      'recorded otherwise',
      'before the reasons are looked at',
    ],
  ] as const)('and %j is %s: %s', ([changes, status]) => {
    expect(reconcileSale(given(changes as Partial<ToReconcile>)).status).toBe(status);
  });

  test('shows what was expected and recorded, and where that comes from', () => {
    expect(reconcileSale(given())).toMatchObject({
      hasNexus: true,
      taxSource: 'destination',
      freightTaxable: false,
      expected: 825,
      taxable: 10_000,
      recorded: 825,
      reasons: [],
    });
  });

  test('has nothing expected where nothing was calculated, and nothing recorded where nothing is held', () => {
    expect(
      reconcileSale(given({ expectation: undefined, recorded: undefined, detail: 'refused' })),
    ).toMatchObject({
      expected: null,
      recorded: null,
      taxable: 0,
      hasNexus: false,
      levels: [],
      detail: 'refused',
    });
  });

  test('that is a refund mirrors its order in every figure', () => {
    const anyGiven = fc
      .tuple(anyResult, anyOrderAmount)
      .map(([result, collected]) =>
        given({ collected, expectation: { basis: 'calculated', result, alternatives: [] } }),
      );
    fc.assert(
      fc.property(anyGiven, (order) => {
        const sale = reconcileSale(order);
        const refund = reconcileSale({ ...order, kind: 'refund' });
        const mirrored = (amount: Money | null) => (amount === null ? null : -amount + 0);
        expect(refund.expected).toBe(mirrored(sale.expected));
        expect(refund.taxable).toBe(mirrored(sale.taxable));
        expect(refund.reasons.map(({ amount }) => amount)).toEqual(
          sale.reasons.map(({ amount }) => mirrored(amount)),
        );
        expect(refund.levels.map(({ tax }) => tax)).toEqual(sale.levels.map(({ tax }) => mirrored(tax)));
        expect(refund.levels.map(({ taxable }) => taxable)).toEqual(
          sale.levels.map(({ taxable }) => mirrored(taxable)),
        );
      }),
    );
  });
});

describe('the levels of a tax', () => {
  const shown = (...args: Parameters<typeof resultOf>) =>
    levelsOf(resultOf(...args)).map(({ level, name, rate, taxable, tax }) => [
      level,
      name,
      rate,
      taxable,
      tax,
    ]);

  test('are the bodies that levy it, with their rates', () => {
    const everywhere = unit({
      state: [10_000, 600_000],
      county: [10_000, 25_000],
      city: [10_000, 100_000],
      special: [10_000, 225_000],
    });
    expect(shown([everywhere])).toEqual([
      ['state', 'CA', 600_000, 10_000, 600],
      ['county', 'LOS ANGELES', 25_000, 10_000, 25],
      ['city', 'SANTA MONICA', 100_000, 10_000, 100],
      ['special', 'LOS ANGELES / SANTA MONICA', 225_000, 10_000, 225],
    ]);
  });

  test('leave out a level that taxes nothing', () => {
    expect(shown([unit({ state: [10_000, 600_000], city: [0, 100_000] })])).toEqual([
      ['state', 'CA', 600_000, 10_000, 600],
    ]);
  });

  test('share a cent that rounding each would lose or make', () => {
    // 0.4 cents each: rounded apart they are nothing, together a cent.
    const crumbs = unit({ state: [40, 100_000], county: [40, 100_000], city: [40, 100_000] });
    expect(shown([crumbs]).map(([level, , , , tax]) => [level, tax])).toEqual([
      ['state', 1],
      ['county', 0],
      ['city', 0],
    ]);
  });

  test('go by what they levy where a level has several rates', () => {
    const lines = [
      unit({ state: [10_000, 600_000], city: [10_000, 100_000] }),
      unit({ state: [10_000, 200_000] }),
    ];
    expect(shown(lines).map(([level, , , taxable, tax]) => [level, taxable, tax])).toEqual([
      ['state', 20_000, 800],
      ['city', 10_000, 100],
    ]);
  });

  test('are none without a breakdown, and none where nothing was taxed', () => {
    expect(levelsOf(WITHOUT_NEXUS)).toEqual([]);
    expect(shown([unit({})])).toEqual([]);
  });

  test('add up to the tax of the order, to the cent', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        const levels = levelsOf(result);
        if (levels.length === 0) expect(result.amount_to_collect).toBe(0);
        else expect(sum(levels.map(({ tax }) => tax))).toBe(result.amount_to_collect);
      }),
      { numRuns: 1000 },
    );
  });
});
