import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explainVariance } from '../../../src/close/reconcile/explain-variance.ts';
import { commonFreightErrors } from '../../../src/close/reconcile/freight-errors.ts';
import { commonShopErrors } from '../../../src/close/reconcile/hypothesis.ts';
import { answerAbout } from '../../../src/close/reconcile/part-of-order.ts';
import { REASONS, type Reason, type ReasonCode } from '../../../src/close/reconcile/reason.ts';
import { inPlaces, REASONS_MAX } from '../../../src/close/reconcile/reason-places.ts';
import { taxModelOf, taxOf } from '../../../src/close/reconcile/tax-model.ts';
import { partOf, VARIANCE_PART_NAMES } from '../../../src/close/reconcile/variance-part.ts';
import { money, subtract, sum, ZERO } from '../../../src/kernel/money.ts';
import { answerTo, anyOrder, CUTS, partsOf } from './repaid-orders.ts';

const reason = (code: ReasonCode, amount: number): Reason => ({
  code,
  amount: money(amount),
  proof: `proof of ${code}`,
});

const shown = (reasons: readonly Reason[]) =>
  inPlaces(reasons).map(({ code, amount, proof }) => `${code} ${amount}: ${proof}`);

describe('the reasons of a sale', () => {
  test('stay as they are where each has a place, also two of one code', () => {
    const three = [reason('R02', 5), reason('R02', 6), reason('R01', 1)];
    expect(inPlaces(three)).toBe(three);
  });

  test('of one code become one where there are more', () => {
    const four = [reason('R02', 500), reason('R06', 2), reason('R02', 60), reason('R29', -80)];
    expect(shown(four)).toEqual([
      'R02 560: proof of R02; with 0.60 of R02: proof of R02',
      'R06 2: proof of R06',
      'R29 -80: proof of R29',
    ]);
  });

  test('of several codes join the one beside them, the smallest first', () => {
    expect(shown([reason('R06', 6), reason('R02', -1075), reason('R01', -1), reason('R29', -2270)])).toEqual([
      'R06 6: proof of R06',
      'R02 -1076: proof of R02; with 0.01 of R01: proof of R01',
      'R29 -2270: proof of R29',
    ]);
  });

  test('keep the sum of each part of the variance, whatever they are', () => {
    const codes = Object.keys(REASONS) as ReasonCode[];
    const any = fc.record({ code: fc.constantFrom(...codes), amount: fc.integer({ min: -99, max: 99 }) });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 8 }), (drawn) => {
        const reasons = drawn.map(({ code, amount }) => reason(code, amount));
        const placed = inPlaces(reasons);
        expect(placed.length).toBeLessThanOrEqual(REASONS_MAX);
        for (const part of VARIANCE_PART_NAMES) {
          const of = (all: readonly Reason[]) =>
            sum(all.filter(({ code }) => partOf(code) === part).map(({ amount }) => amount));
          expect(of(placed)).toBe(of(reasons));
        }
      }),
    );
  });

  test('fit for a refund without tax of an order that was charged too little for several reasons', () => {
    let folded = 0;
    fc.assert(
      fc.property(anyOrder, CUTS, fc.nat(), fc.nat(), (order, cuts, freight, other) => {
        const due = taxModelOf(answerTo(order), order.lines);
        const pick = <Value>(from: readonly Value[], at: number) => from[at % Math.max(1, from.length)];
        const first = pick(commonFreightErrors(order), freight)?.apply(due)?.model ?? due;
        const charged = pick(commonShopErrors(order), other)?.apply(first)?.model ?? first;
        for (const part of partsOf({ ...order, salesTax: taxOf(charged) }, cuts)) {
          const whole = answerTo(part);
          const expectation = answerAbout(part, whole);
          const { reasons } = explainVariance({
            ...part,
            collected: ZERO,
            expectation,
            whole,
            alternatives: [],
          });
          expect(reasons.length).toBeLessThanOrEqual(REASONS_MAX);
          expect(sum(reasons.map(({ amount }) => amount))).toBe(
            subtract(ZERO, expectation.amount_to_collect),
          );
          if (reasons.some(({ proof }) => proof.includes('; with '))) folded += 1;
        }
      }),
      { numRuns: 300, seed: 3 },
    );
    expect(folded).toBeGreaterThan(10);
  });
});
