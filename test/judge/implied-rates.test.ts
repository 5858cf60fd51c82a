import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Ballot, impliedRates } from '../../src/judge/implied-rates.ts';
import { roundQuotient } from '../../src/kernel/decimal.ts';
import { money, price, RATE_ONE, rate } from '../../src/kernel/money.ts';

const STATE = rate(290_000);

/** A sale of so many cents that carries so many cents of tax, where the content knows 2.9 %. */
const ballot = (place: string, cents: number, collected: number): Ballot => ({
  place: `CO ${place}`,
  collected: money(collected),
  state: STATE,
  own: STATE,
  lines: [price(cents * 100)],
});

const taxAt = (cents: number, total: number): number => roundQuotient(cents * total, RATE_ONE);
/** Amounts large enough to tell one rate from the next. */
const amounts = (least: number, most: number) =>
  fc.uniqueArray(fc.integer({ min: 4_000, max: 60_000 }), { minLength: least, maxLength: most });

describe('sales of one place that agree on one rate', () => {
  test('imply it, in whatever order they come', () => {
    fc.assert(
      fc.property(
        amounts(12, 30),
        fc.integer({ min: 1, max: 60 }),
        fc.infiniteStream(fc.nat()),
        (cents, steps, chance) => {
          const total = 290_000 + steps * 12_500;
          const ballots = cents.map((each) => ballot('SPRINGS', each, taxAt(each, total)));
          expect(impliedRates(ballots)).toEqual([{ place: 'CO SPRINGS', rate: total }]);
          const order = ballots.map((each) => ({ each, at: chance.next().value ?? 0 }));
          const shuffled = order.sort((left, right) => left.at - right.at).map(({ each }) => each);
          expect(impliedRates(shuffled)).toEqual(impliedRates(ballots));
        },
      ),
    );
  });

  test('imply nothing where fewer than eight of them differ', () => {
    const copies = Array.from({ length: 40 }, (_, index) => 4_999 + (index % 7));
    const ballots = copies.map((cents) => ballot('SPRINGS', cents, taxAt(cents, 790_000)));
    expect(impliedRates(ballots)).toEqual([]);
  });
});

test('taxes that were drawn by chance imply no rate, however many they are', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.integer({ min: 500, max: 60_000 }), fc.integer({ min: 290_001, max: 1_090_000 })),
        {
          minLength: 8,
          maxLength: 400,
        },
      ),
      (sales) => {
        const ballots = sales.map(([cents, drawn], index) =>
          ballot(index % 2 === 0 ? 'SPRINGS' : 'BOULDER', cents, taxAt(cents, drawn)),
        );
        expect(impliedRates(ballots)).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
