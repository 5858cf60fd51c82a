import { describe, expect, test } from 'vitest';
import { explainVariance, type VarianceInput } from '../../src/judge/explain-variance.ts';
import type { AnsweredHypothesis } from '../../src/judge/hypothesis.ts';
import type { ReasonCode } from '../../src/judge/reason.ts';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { money, price } from '../../src/kernel/money.ts';
import { LINE } from '../sales/sale-of.ts';
import { plain, resultOf, unit, WITHOUT_NEXUS } from './result-of.ts';

/** 100.00 of goods at 8.25 %: 8.25. */
const GOODS = plain(10_000);
const EXPECTED = resultOf([GOODS]);
const EXEMPT = resultOf([unit({})], undefined, { exemption_type: 'wholesale' });
const line = (id: string, unitPrice: number, more = {}) => ({
  ...LINE,
  id,
  quantity: 1,
  unitPrice: price(unitPrice * 100),
  ...more,
});
const asked = (code: ReasonCode, what: string, cents: number): AnsweredHypothesis => ({
  code,
  what,
  result: resultOf([unit({ state: [10_000, cents * 1000] })]),
});

type Row = readonly [
  collected: number,
  given: Partial<VarianceInput>,
  reasons: readonly string[],
  why: string,
];

const given = (collected: number, more: Partial<VarianceInput>) =>
  explainVariance({
    kind: 'order',
    collected: money(collected),
    shipping: money(0),
    amount: money(10_000),
    lines: [],
    expectation: EXPECTED,
    alternatives: [],
    ...more,
  }).reasons.map(({ code, amount, proof }) => `${code} ${amount}: ${proof}`);

/** The reasons that the sample month does not have, or has in another way. */
const PROVED: readonly Row[] = [
  [
    3,
    { expectation: resultOf([plain(10), plain(10), plain(10)]) },
    ['R01 1: recomputed rounded per line: 0.03'],
    'three lines of 0.8 cents',
  ],
  [
    775,
    { alternatives: [asked('R02', 'at the rates of 2026-06-30', 775)] },
    ['R02 -50: recomputed at the rates of 2026-06-30: 7.75'],
    'a rate of the quarter before',
  ],
  [
    165,
    {
      expectation: resultOf([GOODS, plain(2000)]),
      lines: [line('1', 10_000, { taxCode: '20010' }), line('2', 2000, { taxCode: null })],
    },
    ['R05 -825: recomputed with category 20010 untaxed: 1.65'],
    'one category was freed',
  ],
  [
    990,
    {
      expectation: resultOf([GOODS, unit({}), unit({})]),
      lines: [line('1', 10_000), line('2', 2000), line('3', 3000)],
    },
    ['R05 165: recomputed with line 2 taxed in full: 9.90'],
    'one of two exempt lines was taxed',
  ],
  [
    825,
    { shipping: money(1000), expectation: resultOf([GOODS], plain(1000)) },
    ['R06 -83: recomputed with shipping untaxed: 8.25'],
    'taxed shipping was left out',
  ],
  [
    1200,
    {
      amount: money(12_000),
      lines: [line('1', 12_000, { taxCode: null })],
      expectation: resultOf([unit({ state: [12_000, 800_000], county: [10_000, 200_000] })]),
    },
    ['R21 40: recomputed with line 1 taxed in full: 12.00'],
    'the county taxes no more than 100.00 of an item',
  ],
  [
    1563,
    {
      amount: money(25_000),
      lines: [line('1', 25_000, { taxCode: '20010' })],
      expectation: resultOf([unit({ state: [7500, 625_000] })]),
    },
    ['R05 1094: recomputed with category 20010 taxed in full: 15.63'],
    'the category was ignored that is taxed above 175.00 alone',
  ],
  [
    300,
    { expectation: EXEMPT },
    ['R07 300: the sale is exempt, so nothing was due'],
    'whatever was taken of an exempt customer',
  ],
  [
    0,
    { isClaimedExempt: true },
    ['R08 -825: called exempt, and no exemption holds; 8.25 was due'],
    'an exemption that no one can show',
  ],
  [
    825,
    { expectation: WITHOUT_NEXUS, isMarketplace: true },
    ['R09 825: the marketplace remits the tax of this sale, so nothing was due'],
    'charged beside the marketplace',
  ],
  [
    0,
    {
      kind: 'refund',
      partOf: {
        amount: money(10_000),
        shipping: money(0),
        lines: [],
        salesTax: money(825),
        positions: [],
      },
    },
    ['R29 -825: its order was charged 8.25, and 8.25 of it was to be given back'],
    'a refund without the tax of its order',
  ],
  [
    0,
    { registeredInPeriod: calendarDate('2026-10-15') },
    ['R12 -825: nexus in the destination since 2026-10-15, inside the period; 8.25 was due'],
    'not charged after it',
  ],
  [833, {}, ['R99 8: no recomputation with one thing changed gives what was collected'], 'nothing gives it'],
];

const COMBINED: readonly Row[] = [
  [825, {}, [], 'collected is what was due'],
  [0, { expectation: WITHOUT_NEXUS }, [], 'nothing was due, and nothing charged'],
  [0, { expectation: WITHOUT_NEXUS, isMarketplace: true }, [], 'nor beside the marketplace'],
  [
    6,
    {
      expectation: resultOf([plain(10), plain(10), plain(10)]),
      alternatives: [
        {
          code: 'R02',
          what: 'at the rates of 2026-06-30',
          result: resultOf([plain(20), plain(20), plain(20)]),
        },
      ],
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
];

describe('each reason is proved by computing again', () => {
  test.for([...PROVED, ...COMBINED])('%i cents with %j: %j, %s', ([collected, more, reasons]) => {
    expect(given(collected, more)).toEqual(reasons);
  });
});
