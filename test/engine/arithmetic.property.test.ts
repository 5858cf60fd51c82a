import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Order } from '../../src/engine/order.ts';
import { type plainRule, taxOrder } from '../../src/engine/order-tax.ts';
import { price } from '../../src/kernel/money.ts';
import { runs } from '../support/runs.ts';
import { anyNet, anyQuantity, anyUnitRule } from './unit-rules.ts';

const anyUnit = fc.tuple(anyUnitRule, anyNet, anyQuantity);

const orderOf = (units: readonly (readonly [unknown, number, number])[]): Order => ({
  lines: units.map(([, net, quantity], index) => ({
    id: String(index),
    code: '',
    net: price(net),
    quantity,
  })),
  itemized: true,
  shipping: price(0),
  total: price(0),
});

const tax = (units: readonly (readonly [ReturnType<typeof plainRule>, number, number])[]) =>
  taxOrder(orderOf(units), {
    lineRules: units.map(([rule]) => rule),
    rates: [1, 1, 1, 1],
    freight: 'never',
    isFreightInLimits: false,
  });

const anyUnits = fc.array(anyUnit, { minLength: 1, maxLength: 12 });

describe('an order', () => {
  test('does not change with the order of its lines', () => {
    const shuffled = anyUnits.chain((units) =>
      fc.tuple(fc.constant(units), fc.shuffledSubarray(units, { minLength: units.length })),
    );
    fc.assert(
      fc.property(shuffled, ([units, others]) => {
        expect(BigInt(tax(others).raw)).toBe(BigInt(tax(units).raw));
      }),
      { numRuns: runs(5_000) },
    );
  });

  test('does not change when a quantity is split into two equal lines', () => {
    const cents = fc.integer({ min: -5_000_000_000, max: 5_000_000_000 });
    const rule = anyUnitRule.map((any) => ({ ...any, excessOver: any.excessOver - (any.excessOver % 100) }));
    const half = fc.tuple(rule, cents, fc.integer({ min: 1, max: 1_000_000 }));
    fc.assert(
      fc.property(half, ([unitRule, halfCents, quantity]) => {
        const net = halfCents * 100;
        const whole = tax([[unitRule, 2 * net, 2 * quantity]]);
        const split = tax([
          [unitRule, net, quantity],
          [unitRule, net, quantity],
        ]);
        expect(BigInt(split.raw)).toBe(BigInt(whole.raw));
      }),
      { numRuns: runs(5_000) },
    );
  });
});
