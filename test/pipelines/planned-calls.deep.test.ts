import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lockClosed } from '../support/decisions.ts';
import { type Month, month } from '../support/month.ts';
import { OAKLAND, PORTLAND, type TemplateRow } from '../support/shop-exports.ts';

type Planned = Readonly<Record<'toAsk', number>>;

const anyOrder: fc.Arbitrary<Omit<TemplateRow, 'name'>> = fc
  .record({
    price: fc.constantFrom('100.00', '200.00', '300.00'),
    at: fc.constantFrom('2026-10-10', '2026-10-11'),
    to: fc.constantFrom(OAKLAND, PORTLAND),
    exemption: fc.constantFrom(undefined, 'wholesale' as const, 'marketplace' as const),
  })
  .map(({ exemption, ...order }) => ({
    ...order,
    ...(order.to === PORTLAND && { tax: '0.00' }),
    ...(exemption && { exemption }),
  }));

const exported = (orders: readonly Omit<TemplateRow, 'name'>[]) => ({
  template: orders.map((order, index): TemplateRow => ({ name: `${index}`, ...order })),
});

const planOf = async (shop: Month): Promise<Planned> =>
  (await shop.told<{ readonly calculations: Planned }>(0, 'close', '2026-10', '--plan')).calculations;

/** Close October, which asks the service as often as the plan said. */
const closesAsPlanned = async (shop: Month): Promise<Planned> => {
  const planned = await planOf(shop);
  let calls = 0;
  await shop.closeWith(({ service, ...ports }) => ({
    ...ports,
    service: {
      ...service,
      calculateTax: (request) => {
        calls += 1;
        return service.calculateTax(request);
      },
    },
  }));
  expect(calls).toBe(planned.toAsk);
  return planned;
};

test('a month that collected what was due asks exactly what was planned, also when it has grown', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(anyOrder, { minLength: 1, maxLength: 12 }),
      fc.array(anyOrder, { maxLength: 4 }),
      async (orders, more) => {
        const shop = await month(exported(orders));
        await closesAsPlanned(shop);
        await shop.change(exported([...orders, ...more]));
        await closesAsPlanned(shop);
      },
    ),
    { numRuns: 10 },
  ));

const SALE = { at: '2026-09-10' };
const LATE = { ...SALE, price: '200.00' };
const NOW = { price: '300.00' };

test.each([
  ['ask', 2],
  ['carry', 2],
  ['amend', 1],
])(
  'what came late for a locked month is planned with it where the policy is to %s',
  async (lateItems, toAsk) => {
    const shop = await month({ ...exported([SALE]), settings: { policy: { lateItems } } });
    await lockClosed(shop, '2026-09');
    await shop.change(exported([SALE, LATE, NOW]));
    expect(await closesAsPlanned(shop)).toMatchObject({ toAsk });
  },
);
