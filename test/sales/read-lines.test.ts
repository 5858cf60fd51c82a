import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money, type Price, price, priceOfMoney } from '../../src/kernel/money.ts';
import { netOf, spreadOrderDiscount } from '../../src/sales/read-lines.ts';
import type { SaleLine } from '../../src/sales/sale.ts';

const line = (net: Price, quantity = 1, discount: Price = price(0)): SaleLine => ({
  id: '1',
  sku: '',
  description: '',
  quantity,
  unitPrice: price((net + discount) / quantity),
  discount,
  taxCode: null,
});
const goods = (amount: number) => priceOfMoney(money(amount));

describe('a discount on the whole order', () => {
  const anyLine = fc
    .tuple(fc.nat({ max: 100_000 }), fc.integer({ min: 1, max: 20 }), fc.nat({ max: 1000 }))
    .map(([unit, quantity, percent]) => {
      const gross = unit * quantity;
      return {
        ...line(goods(gross), quantity),
        discount: goods(Math.floor((gross * Math.min(percent, 100)) / 100)),
      };
    });

  test('makes lines add up to the goods exactly, and takes from no line more than it comes to', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { minLength: 1, maxLength: 12 }),
        fc.nat({ max: 1000 }),
        (lines, permille) => {
          const total = lines.reduce((running, one) => running + netOf(one), 0) / 100;
          const amount = goods(Math.floor((total * permille) / 1000));
          const spread = spreadOrderDiscount(lines, amount);
          expect(spread?.reduce((running, one) => running + netOf(one), 0)).toBe(amount);
          spread?.forEach((one, index) => {
            expect(one.discount).toBeGreaterThanOrEqual(lines[index]?.discount ?? Number.NaN);
            expect(netOf(one)).toBeGreaterThanOrEqual(0);
          });
        },
      ),
    );
  });
});
