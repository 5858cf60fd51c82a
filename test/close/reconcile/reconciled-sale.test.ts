import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldDifference } from '../../../src/close/reconcile/compare-record.ts';
import { type ReconcileInput, reconcileSale } from '../../../src/close/reconcile/reconciled-sale.ts';
import { taxLineNameOf } from '../../../src/close/sales/tax-line-name.ts';
import { type Money, money } from '../../../src/kernel/money.ts';
import { price } from '../../../src/kernel/price.ts';
import { anyOrderAmount } from '../../support/arbitraries.ts';
import { LINE, saleOf } from '../sales/sale-of.ts';
import { recordedOf } from './recorded-of.ts';
import { anyResult, plain, resultOf } from './result-of.ts';

const EXPECTED = resultOf([plain(10_000)]);
const RECORDED = recordedOf(saleOf(), { sales_tax: price(82_500) });
const difference = (kind: 'format' | 'value'): FieldDifference => ({
  field: 'to_city',
  sent: 'a',
  recorded: 'A',
  kind,
});

const given = (changes: Partial<ReconcileInput> = {}): ReconcileInput => ({
  kind: 'order',
  state: 'CA',
  lines: [],
  taxLines: [],
  collected: money(825),
  shipping: money(0),
  amount: money(10_000),
  expectation: { basis: 'calculated', result: EXPECTED, alternatives: [] },
  recorded: RECORDED,
  differences: [],
  detail: '',
  ...changes,
});

describe('a sale with its three figures', () => {
  test.for([
    [{}, 'tied out', 'all three agree'],
    [{ differences: [difference('format')] }, 'tied out', 'another way of writing is not a difference'],
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
    expect(reconcileSale(given(changes as Partial<ReconcileInput>)).status).toBe(status);
  });

  test('without a calculation is unexplained as far as tax was collected, so that the reasons add up', () => {
    const refused = reconcileSale(given({ expectation: undefined, detail: 'to_zip is unknown' }));
    expect(refused.reasons).toEqual([{ code: 'R99', amount: 825, proof: 'to_zip is unknown' }]);
    const untaxed = reconcileSale(given({ expectation: undefined, collected: money(0) }));
    expect(untaxed.reasons).toEqual([]);
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
      levels: [{ level: 'state', name: 'CA', rate: 0, tax: 0, collected: 825 }],
      detail: 'refused',
    });
  });

  test('that is a refund mirrors its order in every figure', () => {
    const anyGiven = fc.tuple(anyResult, anyOrderAmount, fc.boolean()).map(([result, collected, hasLine]) =>
      given({
        collected,
        taxLines: hasLine ? [{ ...taxLineNameOf('Fresno City Tax 1%'), amount: collected }] : [],
        expectation: { basis: 'calculated', result, alternatives: [] },
      }),
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
        expect(refund.levels.map(({ collected }) => collected)).toEqual(
          sale.levels.map(({ collected }) => mirrored(collected)),
        );
        expect(refund.levels.map(({ tax }) => tax)).toEqual(sale.levels.map(({ tax }) => mirrored(tax)));
        expect(refund.levels.map(({ taxable }) => taxable)).toEqual(
          sale.levels.map(({ taxable }) => mirrored(taxable)),
        );
      }),
    );
  });
});

describe('the lines of a sale', () => {
  const lines = [LINE, { ...LINE, id: '2' }];
  const expectation = {
    basis: 'calculated',
    result: resultOf([plain(10_000), plain(2_000)]),
    alternatives: [],
  } as const;

  test('have their figures where collected and expected differ, as the proof has them', () => {
    const sale = reconcileSale(given({ expectation, lines, collected: money(825) }));
    expect(sale.reasons.map(({ code }) => code)).toEqual(['R05']);
    expect(sale.lines).toEqual([
      { id: '1', collected: 825, expected: 825, recorded: 950 },
      { id: '2', collected: 0, expected: 165, recorded: null },
    ]);
  });

  test('have none where the sale ties out', () => {
    expect(reconcileSale(given({ expectation, lines, collected: money(990) })).lines).toEqual([]);
  });

  test('have shipping beside them where it carries tax', () => {
    const taxed = { ...expectation, result: resultOf([plain(10_000)], plain(1000)) };
    const sale = reconcileSale(
      given({ expectation: taxed, lines: [LINE], shipping: money(1000), collected: money(825) }),
    );
    expect(sale.lines.map(({ id, collected, expected }) => [id, collected, expected])).toEqual([
      ['1', 825, 825],
      ['shipping', 0, 83],
    ]);
  });
});
