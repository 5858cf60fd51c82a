import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainVariance, isUnexplained, type VarianceInput } from '../../src/judge/explain-variance.ts';
import { commonShopErrors, ROUNDINGS } from '../../src/judge/hypothesis.ts';
import { answerAbout } from '../../src/judge/part-of-order.ts';
import { taxModelOf, taxOf } from '../../src/judge/tax-model.ts';
import { money, price, sum } from '../../src/kernel/money.ts';
import type { Place, Sale } from '../../src/sales/sale.ts';
import { LINE, saleOf } from '../sales/sale-of.ts';
import { answerTo, anyOrder, CUTS, PLACES, partsOf } from './repaid-orders.ts';

/** An order whose shop calculated with one habit and one way of rounding, or with neither. */
const anyChargedOrder: fc.Arbitrary<Sale> = fc
  .record({ order: anyOrder, habit: fc.nat(), rounding: fc.nat() })
  .map(({ order, habit, rounding }) => {
    const habits = [...commonShopErrors(order), undefined];
    const due = taxModelOf(answerTo(order), order.lines);
    const charged = habits[habit % habits.length]?.apply(due)?.model ?? due;
    const model = ROUNDINGS[rounding % (ROUNDINGS.length + 1)]?.apply(charged)?.model ?? charged;
    return { ...order, salesTax: taxOf(model) };
  });

const caseOf = (sale: Sale, more: Partial<VarianceInput> = {}): VarianceInput => {
  const whole = answerTo(sale);
  return {
    sale,
    expectation: answerAbout(sale, whole),
    ...(sale.partOf && { whole }),
    alternatives: [],
    ...more,
  };
};

const shown = (given: VarianceInput) =>
  explainVariance(given).reasons.map(({ code, amount, proof }) => `${code} ${amount}: ${proof}`);

const NOTHING_FITS = 'no recomputation with one thing changed gives what was collected';

describe('a refund of a part of an order has the reasons of its order', () => {
  test('if it gives back its share of the tax that the order was charged', () => {
    let alone = 0;
    let withOrder = 0;
    fc.assert(
      fc.property(anyChargedOrder, CUTS, (order, cuts) => {
        expect(isUnexplained(explainVariance(caseOf(order)))).toBe(false);
        for (const part of partsOf(order, cuts)) {
          const given = caseOf(part);
          const { reasons } = explainVariance(given);
          if (isUnexplained(explainVariance({ ...given, whole: undefined }))) alone += 1;
          if (reasons.some(({ code }) => code === 'R99')) withOrder += 1;
          expect(sum(reasons.map(({ amount }) => amount))).toBe(
            part.salesTax - given.expectation.amount_to_collect,
          );
        }
      }),
      { numRuns: 300, seed: 7 },
    );
    expect([alone > 100, withOrder]).toEqual([true, 0]);
  });

  test('and not if it gives back something else', () => {
    fc.assert(
      fc.property(anyChargedOrder, CUTS, fc.nat(), fc.nat({ max: 2000 }), (order, cuts, at, tax) => {
        const parts = partsOf(order, cuts);
        const part = parts[at % parts.length] as Sale;
        const { partOf } = part;
        if (!partOf) return;
        const share = (partOf.salesTax * part.amount) / partOf.amount;
        // Half a cent of each line and of shipping, a cent of dividing the tax, and one of dividing goods and shipping.
        fc.pre(tax > 0 && Math.abs(tax - share) > Math.ceil((partOf.lines.length + 1) / 2) + 2);
        // Goods of which a part is taxed have other shares.
        fc.pre(partOf.lines.length <= 1);
        const given = caseOf({ ...part, salesTax: money(tax) });
        expect(explainVariance(given).reasons).toEqual(
          explainVariance({ ...given, whole: undefined }).reasons,
        );
      }),
      { numRuns: 1000 },
    );
  });

  const [NEW_YORK] = PLACES as [Place];
  const line = { ...LINE, quantity: 1, taxCode: null };
  /** 54.32 of goods and 7.13 of shipping in New York City, where 5.45 is due; the shop charges 8.875 % of the goods. */
  const order = saleOf({
    shipTo: NEW_YORK,
    lines: [{ ...line, unitPrice: price(543_200) }],
    amount: money(6145),
    shipping: money(713),
    salesTax: money(482),
  });
  const alone = (given: VarianceInput) => shown({ ...given, whole: undefined });

  test('where an export does not divide it', () => {
    expect(shown(caseOf(order))).toEqual(['R06 -63: recomputed with shipping untaxed: 4.82']);
    const [first, rest] = partsOf(order, [458]) as [Sale, Sale];
    expect(first).toMatchObject({ amount: 425, shipping: 49, salesTax: 34 });
    expect(alone(caseOf(first))).toEqual([`R99 -4: ${NOTHING_FITS}`]);
    const of = 'is its share, to the cent, of the 4.82 that its order was charged';
    expect(shown(caseOf(first))).toEqual([`R06 -4: 0.34 ${of}: recomputed with shipping untaxed: 4.82`]);
    expect(shown(caseOf(rest))).toEqual([`R06 -59: 4.48 ${of}: recomputed with shipping untaxed: 4.82`]);
    expect(shown(caseOf({ ...rest, salesTax: money(446) }))).toEqual([`R99 -61: ${NOTHING_FITS}`]);
  });
});
