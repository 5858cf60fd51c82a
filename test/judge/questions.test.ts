import { describe, expect, test } from 'vitest';
import { isTelling, type Question, questionsOf } from '../../src/judge/questions.ts';
import { taxModelOf } from '../../src/judge/tax-model.ts';
import { calendarDate, instant } from '../../src/kernel/calendar.ts';
import { money, price } from '../../src/kernel/money.ts';
import type { Sale } from '../../src/sales/sale.ts';
import { LINE, refundOf, SHIP_FROM, saleOf } from '../sales/sale-of.ts';
import { plain, resultOf, unit } from './result-of.ts';

const ANSWER = resultOf([plain(10_000)]);
const day = calendarDate;
/** Noon in Los Angeles, so that the day is the same in UTC. */
const noon = (changes: Partial<Sale> = {}) =>
  saleOf({ instant: instant(Date.UTC(2026, 9, 31, 19)), ...changes });
const ask = (sale: Sale, answer = ANSWER) => questionsOf(sale, SHIP_FROM, answer);
const shown = (sale: Sale, answer = ANSWER) => ask(sale, answer).map(({ code, what }) => `${code} ${what}`);
const find = (sale: Sale, what: RegExp, answer = ANSWER): Question | undefined =>
  ask(sale, answer).find((question) => what.test(question.what));

describe('what may explain a variance', () => {
  test('is asked in this order', () => {
    expect(shown(noon())).toEqual([
      'R05 with product categories ignored',
      'R04 at the place of the seller',
      'R03 by the ZIP 90012 alone',
      'R03 outside the cities of ZIP 90012',
      'R02 at the rates of 2026-09-30',
      'R02 at the rates of 2026-06-30',
      'R02 at the rates of 2026-03-31',
      'R02 at the rates of 2025-12-31',
      'R02 at the rates of 2025-09-30',
      'R02 at the rates of 2025-06-30',
      'R02 at the rates of 2025-03-31',
      'R02 at the rates of 2024-12-31',
      'R21 with each line as one item',
    ]);
  });

  test.for([
    [
      { ...refundOf(saleOf()), orderUtcDate: day('2026-11-01') },
      /UTC/,
      { code: 'R16', what: 'as of 2026-11-01, the day of its order in UTC', sale: { taxDate: '2026-11-01' } },
      'the day in UTC of the order that a refund gives back',
    ],
    [
      noon(),
      /outside/,
      { code: 'R03', sale: { shipTo: { zip: '90012', city: 'Unincorporated', street: '' } } },
      'the county without its cities',
    ],
    [
      noon({ lines: [{ ...LINE, quantity: 3, unitPrice: price(400_000) }] }),
      /one item/,
      { code: 'R21', sale: { lines: [{ quantity: 1, unitPrice: 1_200_000 }] } },
      'three at 40.00 as one at 120.00',
    ],
    [
      noon({ amount: money(9_000), lines: [{ ...LINE, quantity: 1, discount: price(100_000) }] }),
      /discounts/,
      { code: 'R15', sale: { amount: 10_000, lines: [{ discount: 0 }] } },
      'a price without its discount of 10.00',
    ],
  ] as const)('%# may be %s', ([sale, what, question]) => {
    expect(find(sale, what)).toMatchObject(question);
  });

  test('is the place of the buyer where the law is that of the seller', () => {
    const question = find(noon(), /buyer/, resultOf([plain(10_000)], undefined, { tax_source: 'origin' }));
    expect(question).toMatchObject({ code: 'R04', shipFrom: noon().shipTo, sale: noon() });
  });
});

describe('another place', () => {
  const question: Question = { code: 'R03', what: 'as in ZIP 90013', sale: noon() };
  const gap = { levels: ['city'] } as const;
  const isTold = (city: number, given: Pick<Parameters<typeof isTelling>[1], 'gap'>, of = question) =>
    isTelling(of, {
      expected: taxModelOf(ANSWER),
      other: taxModelOf(resultOf([unit({ state: [10_000, 625_000], city: [10_000, city] })])),
      ...given,
    });

  test('proves nothing by a higher rate where the content may lack one', () => {
    expect(isTold(300_000, { gap })).toBe(false);
    expect(isTold(300_000, { gap: undefined })).toBe(true);
  });

  test('is proved there by a lower rate, and so is the place of the seller by any', () => {
    expect(isTold(100_000, { gap })).toBe(true);
    expect(isTold(300_000, { gap }, { ...question, code: 'R04' })).toBe(true);
  });
});
