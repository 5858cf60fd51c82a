import * as fc from 'fast-check';
import { plainRule, type UnitRule } from '../../src/engine/order-tax.ts';

const rate = fc.integer({ min: 0, max: 2_000_000 });
const price = fc.integer({ min: 1, max: 100_000_000 });
const orNone = (arbitrary: fc.Arbitrary<number>) => fc.oneof(fc.constant(0), arbitrary);
const rates = fc.array(rate, { minLength: 4, maxLength: 4 });

/** Any combination of thresholds, caps, bands and rates that a content can express. */
export const anyUnitRule: fc.Arbitrary<UnitRule> = fc
  .record({
    rates,
    ratesBelow: rates,
    threshold: orNone(price),
    excessOver: orNone(price),
    percent: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 99 })),
    capAmount: orNone(price),
    luxuryOver: orNone(price),
    luxuryRate: rate,
    tierRate: orNone(rate),
    tierFrom: price,
    tierWidth: price,
  })
  .map(({ tierWidth, ...rule }) => ({
    ...plainRule(rule.rates),
    ...rule,
    capFromLevel: 1,
    tierTo: rule.tierFrom + tierWidth,
  }));
