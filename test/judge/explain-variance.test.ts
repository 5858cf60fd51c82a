import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainVariance, isUnexplained } from '../../src/judge/explain-variance.ts';
import type { AnsweredHypothesis } from '../../src/judge/hypothesis.ts';
import { REASONS } from '../../src/judge/reason.ts';
import { taxModelOf, taxOf } from '../../src/judge/tax-model.ts';
import { type Money, money, price, rate, sum } from '../../src/kernel/money.ts';
import type { Sale, SaleLine, TaxLine } from '../../src/sales/sale.ts';
import { LINE, saleOf } from '../sales/sale-of.ts';
import { anyOrderAmount } from '../support/arbitraries.ts';
import { anyResult, anyUnits, plain, resultOf, type Unit, unit, WITHOUT_NEXUS } from './result-of.ts';

type Given = Parameters<typeof explainVariance>[0];
type More = Partial<Given & Sale>;

const NO_LINES = { shipping: money(0), lines: [] };

const explain = (collected: number, expectation: Given['expectation'], more: More = {}) =>
  explainVariance({
    sale: saleOf({ ...NO_LINES, amount: money(10_000), salesTax: money(collected), ...more }),
    expectation,
    alternatives: [],
    ...more,
  }).reasons;

const shown = (...given: Parameters<typeof explain>) =>
  explain(...given).map(({ code, amount, proof }) => `${code} ${amount}: ${proof}`);

/** 100.00 of goods at 8.25 %, and 10.00 of shipping that is not taxed. */
const GOODS = plain(10_000);
const EXPECTED = resultOf([GOODS]);

const line = (id: string, cents: number, taxCode: string | null): SaleLine => ({
  ...{ ...LINE, id, quantity: 1, taxCode },
  unitPrice: price(cents * 100),
});

const dearer = (units: readonly Unit[]): AnsweredHypothesis => ({
  code: 'R02',
  what: 'at the rates of 2026-06-30',
  result: resultOf(units),
});
/** What the sample month does not have, or has in another way. */
test.for<readonly [collected: number, given: More, reasons: readonly string[], why: string]>([
  [825, {}, [], 'collected is what was due'],
  [0, { expectation: WITHOUT_NEXUS, isMarketplace: true }, [], 'nothing was due, beside the marketplace'],
  [0, { isClaimedExempt: true }, ['R08 -825: called exempt, and no exemption holds; 8.25 was due'], 'exempt'],
  [
    1200,
    {
      amount: money(12_000),
      lines: [line('1', 12_000, null)],
      expectation: resultOf([unit({ state: [12_000, 800_000], county: [10_000, 200_000] })]),
    },
    ['R21 40: recomputed with line 1 taxed in full: 12.00'],
    'the county taxes no more than 100.00 of an item',
  ],
  [
    1563,
    {
      amount: money(25_000),
      lines: [line('1', 25_000, '20010')],
      expectation: resultOf([unit({ state: [7500, 625_000] })]),
    },
    ['R05 1094: recomputed with category 20010 taxed in full: 15.63'],
    'the category was ignored that is taxed above 175.00 alone',
  ],
  [
    6,
    {
      expectation: resultOf([plain(10), plain(10), plain(10)]),
      alternatives: [dearer([plain(20), plain(20), plain(20)])],
    },
    ['R02 3: recomputed at the rates of 2026-06-30: 0.05', 'R01 1: recomputed rounded per line: 0.06'],
    'an old rate, rounded line by line',
  ],
  [
    688,
    { shipping: money(1000) },
    ['R99 -137: no recomputation with one thing changed gives what was collected'],
    'shipping taxed, at the state rate: two errors are a matter for a person',
  ],
])('%i cents with %j: %j, %s', ([collected, { expectation = EXPECTED, ...more }, reasons]) => {
  expect(shown(collected, expectation, more)).toEqual(reasons);
});

describe('rounding', () => {
  describe('where the shop divides the rate among other jurisdictions than the law', () => {
    const items = [4_848, 6_545, 1_940];
    const lines = items.map(
      (cents, index): SaleLine => ({
        ...LINE,
        id: String(index + 1),
        quantity: 1,
        unitPrice: price(cents * 100),
        discount: price(0),
      }),
    );
    const due = resultOf(
      items.map((cents) =>
        unit({ state: [cents, 625_000], county: [cents, 100_000], special: [cents, 250_000] }),
      ),
    );
    const stated = (...taxLines: (readonly [TaxLine['kind'], number, number])[]) =>
      taxLines.map(
        ([kind, perUnit, amount]): TaxLine => ({
          ...{ kind, rate: rate(perUnit), amount: money(amount) },
          ...{ name: `${kind} tax`, place: '' },
        }),
      );

    test.for([
      [
        1301,
        stated(['state', 725_000, 967], ['county', 250_000, 334]),
        'its lines are rounded for each item',
      ],
      [
        1302,
        stated(['state', 725_000, 967], ['special', 230_000, 308], ['special', 20_000, 27]),
        'so are two of one kind',
      ],
    ] as const)('%d cents are R01: %s', ([collected, taxLines]) => {
      expect(shown(collected, due, { lines, taxLines })).toEqual([
        `R01 ${collected - 1300}: recomputed with each of its tax lines rounded by itself: 13.0${collected - 1300}`,
      ]);
      expect(shown(collected, due, { lines })[0]).toMatch(/^R99/);
    });

    test('is no reason where its lines come to another rate, or another tax', () => {
      const dearer = stated(['state', 725_000, 967], ['county', 260_000, 334]);
      const less = stated(['state', 725_000, 966], ['county', 250_000, 334]);
      for (const taxLines of [dearer, less]) expect(shown(1301, due, { lines, taxLines })[0]).toMatch(/^R99/);
    });
  });

  /** 20.00 at 8.875 %: 1.775, which is rounded to 1.78. */
  const NEW_YORK = resultOf([unit({ state: [2000, 400_000], city: [2000, 487_500] })]);

  test.for([
    ['refund', 177, ['R01 -1'], 'what is left of 2.66 behind 0.89'],
    ['refund', 178, [], 'rounded by itself'],
    ['refund', 179, ['R99 1'], 'more than a cent above'],
    ['refund', 176, ['R99 -2'], 'more than a cent below'],
    ['order', 177, ['R99 -1'], 'an order is rounded once'],
  ] as const)('of a %s of 1.775 to %d cents: %j, %s', ([kind, collected, reasons]) => {
    const found = explain(collected, NEW_YORK, { kind });
    expect(found.map(({ code, amount }) => `${code} ${amount}`)).toEqual(reasons);
  });
});

const GRAINS = ['order', 'line', 'jurisdiction', 'line and jurisdiction'] as const;

const anyCase: fc.Arbitrary<Given> = fc
  .record({
    expectation: anyResult,
    others: fc.array(anyUnits, { maxLength: 3 }),
    shipping: anyOrderAmount,
    random: anyOrderAmount,
    isProvable: fc.boolean(),
    grain: fc.constantFrom(...GRAINS),
  })
  .map(({ expectation, others, shipping, random, isProvable, grain }) => {
    const alternatives = others.map(dearer);
    const model = taxModelOf(alternatives[0]?.result ?? expectation);
    const collected: Money = isProvable ? taxOf({ ...model, grain }) : random;
    const sale = saleOf({ shipping, amount: shipping, salesTax: collected, lines: [] });
    return { sale, expectation, alternatives };
  });

describe('whatever was collected and expected', () => {
  test('the reasons have amounts and add up to the difference, to the cent, and what is unexplained stands alone', () => {
    fc.assert(
      fc.property(anyCase, (given) => {
        const { reasons } = explainVariance(given);
        expect(sum(reasons.map(({ amount }) => amount))).toBe(
          given.sale.salesTax - given.expectation.amount_to_collect,
        );
        for (const { code, amount } of reasons) {
          expect(amount).not.toBe(0);
          expect(REASONS).toHaveProperty(code);
        }
        if (isUnexplained({ reasons })) expect(reasons).toHaveLength(1);
      }),
      { numRuns: 1000 },
    );
  });

  test('what one recomputation gives is explained', () => {
    fc.assert(
      fc.property(anyResult, anyUnits, fc.constantFrom(...GRAINS), (expectation, units, grain) => {
        const alternative = dearer(units);
        const model = taxModelOf(alternative.result);
        const given = {
          sale: saleOf({ ...NO_LINES, amount: money(0), salesTax: taxOf({ ...model, grain }) }),
          expectation,
          alternatives: [alternative],
        };
        expect(isUnexplained(explainVariance(given))).toBe(false);
      }),
    );
  });
});
