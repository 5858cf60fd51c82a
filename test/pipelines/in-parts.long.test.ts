import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoggedLine, StateFigures } from '../support/figures.ts';
import { type Month, month } from '../support/month.ts';
import {
  anyOrder,
  CATEGORIES,
  exportedOrder,
  type RandomOrder,
  requestOf,
  SHIP_FROM,
} from '../support/random-orders.ts';
import { runs } from '../support/runs.ts';
import type { Order } from '../support/shop-exports.ts';

const SETTINGS = {
  shipFrom: SHIP_FROM,
  registrations: ['CA', 'GA', 'MA', 'NY', 'TX', 'WA'].map((state) => ({ state, since: '2019-01-01' })),
  categories: CATEGORIES,
};

/** One cart, sold several times, and what the shop did with its tax. */
type Cart = {
  readonly order: RandomOrder;
  readonly copies: number;
  /** Of an amount that nothing explains, sales of one cart agree on a rate in the month, and too few of them in a part. */
  readonly habit: 'right' | 'other freight' | 'no categories' | 'nothing';
  /** Whether the export has the tax in one line, with an amount and no rate. */
  readonly hasTaxLine: boolean;
  readonly isRefunded: boolean;
};

const anyCart: fc.Arbitrary<Cart> = fc.record({
  order: anyOrder,
  copies: fc.integer({ min: 1, max: 12 }),
  habit: fc.constantFrom('right', 'other freight', 'no categories', 'nothing'),
  hasTaxLine: fc.boolean(),
  isRefunded: fc.boolean(),
});

const newShop = (orders: readonly Order[] = []): Promise<Month> => month({ orders, settings: SETTINGS });

/** The question to which the answer is the tax that the shop charged. */
const askedBy = ({ order, habit }: Cart): ReturnType<typeof requestOf> => {
  const request = requestOf(order);
  if (habit === 'no categories') return requestOf({ ...order, lines: order.lines.map(plain) });
  return habit === 'other freight' ? { ...request, shipping: '0' } : request;
};
const plain = (line: RandomOrder['lines'][number]) => ({ ...line, sku: 'GEN-1' });

const ordersOf = async (shop: Month, carts: readonly Cart[]): Promise<readonly Order[]> => {
  const taxes = await shop.service((service) =>
    Promise.all(carts.map(async (cart) => (await service.calculateTax(askedBy(cart))).amount_to_collect)),
  );
  return carts.flatMap((cart, at) => {
    const { order, copies, habit, hasTaxLine, isRefunded } = cart;
    const tax = habit === 'nothing' ? 0 : (taxes[at] ?? 0);
    return Array.from({ length: copies }, (_, copy): Order => {
      const exported = exportedOrder(`#${100 * at + copy + 1}`, order, { tax, isRefunded });
      return hasTaxLine ? { ...exported, taxLines: [['State Tax', (tax / 100).toFixed(2)]] } : exported;
    });
  });
};

const AMOUNTS = ['gross', 'shipping', 'taxable', 'collected', 'expected', 'recorded'] as const;

/** The cents of each state, of several closes put together. */
const centsOf = (closes: readonly (readonly StateFigures[])[]): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {};
  for (const state of closes.flat())
    for (const name of AMOUNTS)
      sums[`${state.state} ${name}`] =
        (sums[`${state.state} ${name}`] ?? 0) + Math.round(100 * Number(state[name]));
  return sums;
};

const reasonsOf = async (shop: Month): Promise<readonly (readonly [string, string])[]> =>
  (await shop.sales<LoggedLine>()).map(({ sale, reconciled }) => [
    sale.origin.record,
    reconciled.reasons.map(({ code, amount, proof }) => `${code} ${amount} ${proof}`).join('; '),
  ]);

const byKey = ([left]: readonly [string, string], [right]: readonly [string, string]): number =>
  left < right ? -1 : 1;

test('a month that is closed at once has the figures and reasons of the same month closed in parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyCart, { minLength: 2, maxLength: 10 }),
      fc.integer(),
      async (carts, seed) => {
        const whole = await newShop();
        const orders = await ordersOf(whole, carts);
        await whole.change({ orders });
        const figures = await whole.close();
        const parts = [0, 1].map((part) => orders.filter((_, at) => ((at * 7 + seed) & 1) === part));
        const closes: (readonly StateFigures[])[] = [];
        const reasons: (readonly [string, string])[] = [];
        for (const own of parts.filter(({ length }) => length > 0)) {
          const shop = await newShop(own);
          closes.push((await shop.close()).states);
          reasons.push(...(await reasonsOf(shop)));
        }
        expect(centsOf([figures.states])).toEqual(centsOf(closes));
        expect([...(await reasonsOf(whole))].sort(byKey)).toEqual(reasons.sort(byKey));
      },
    ),
    { numRuns: runs(8) },
  );
});
