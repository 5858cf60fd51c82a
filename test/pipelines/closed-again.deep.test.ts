import { expect, it } from 'vitest';
import { sha256 } from '../../src/kernel/digest.ts';
import { type Random, seeded } from '../hostile/random.ts';
import { month, type Settings } from '../support/month.ts';
import { LAS_VEGAS, OAKLAND, type Order, PORTLAND, SEATTLE } from '../support/shop-exports.ts';

/** `CLOSED_AGAIN=1-200` for two hundred shops. */
const [first = 1, last = first + 11] = (process.env['CLOSED_AGAIN'] ?? '1-12').split('-').map(Number);
const SEEDS = Array.from({ length: last - first + 1 }, (_, index) => first + index);

type World = {
  readonly orders: readonly Order[];
  readonly settings: Settings;
};

const DAYS = ['2026-10-03', '2026-10-10', '2026-10-10', '2026-10-17', '2026-10-30'];
const PLACES = [OAKLAND, OAKLAND, SEATTLE, PORTLAND, LAS_VEGAS];

const orderOf = (random: Random, name: string): Order => ({
  name,
  at: random.pick(DAYS),
  price: (random.below(40_000) / 100).toFixed(2),
  to: random.pick(PLACES),
  ...(random.below(4) === 0 && { tax: (random.below(2_000) / 100).toFixed(2) }),
  ...(random.below(4) === 0 && { shipping: '9.95' }),
});

const REPAID = ['2026-10-18', '2026-10-31'];

const shuffled = <Item>(random: Random, items: readonly Item[]): readonly Item[] =>
  items
    .map((item) => ({ item, rank: random.below(1_000_000) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);

/** One of the orders, in another form. What was paid back stays: a refund that the service holds is not changed silently. */
const oneOf = (world: World, random: Random, change: (order: Order) => Order): World => {
  const chosen = random.below(world.orders.length);
  return {
    ...world,
    orders: world.orders.map((order, at) =>
      at === chosen && order.refundedOn === undefined ? change(order) : order,
    ),
  };
};

const changing =
  (settings: (random: Random) => Settings) =>
  (world: World, random: Random): World => ({
    ...world,
    settings: { ...world.settings, ...settings(random) },
  });

/** What a shop and its books go through between two closes; nothing that a first close could not have seen. */
const CHANGES: readonly ((world: World, random: Random) => World)[] = [
  (world, random) => ({ ...world, orders: shuffled(random, world.orders) }),
  (world, random) => ({
    ...world,
    orders: [orderOf(random, `#${100 + world.orders.length}`), ...world.orders],
  }),
  (world, random) => oneOf(world, random, (order) => ({ ...order, tax: '1.23' })),
  (world, random) => oneOf(world, random, (order) => ({ ...order, price: '77.77' })),
  (world, random) => oneOf(world, random, (order) => ({ ...order, at: random.pick(DAYS) })),
  (world, random) => oneOf(world, random, (order) => ({ ...order, to: random.pick(PLACES) })),
  (world, random) => oneOf(world, random, (order) => ({ ...order, sku: 'CLO-JKT01' })),
  (world, random) => oneOf(world, random, (order) => ({ refundedOn: random.pick(REPAID), ...order })),
  changing((random) => ({
    registrations: ['CA', ...random.pick([[], ['WA'], ['WA', 'NV'], ['NV']])].map((state) => ({
      state,
      since: random.pick(['2019-01-01', '2019-01-01', '2026-10-12']),
    })),
  })),
  changing((random) => ({ policy: { unexplained: random.pick(['0.00', '5.00']) } })),
  changing((random) => ({ categories: random.pick([[], [{ sku: 'CLO-*', code: '20010' }]]) })),
  changing((random) => ({ timeZone: random.pick(['America/Los_Angeles', 'America/New_York']) })),
];

const digestsOf = (files: ReadonlyMap<string, Uint8Array>): Readonly<Record<string, string>> =>
  Object.fromEntries([...files].map(([name, bytes]) => [name, sha256(bytes)]));

it.for(SEEDS)('a month that changed between closes is that of a first close: seed %i', async (seed) => {
  const random = seeded(seed);
  // Some shops have days of several pages.
  const count = seed % 6 === 0 ? 700 : 5 + random.below(20);
  const orders = Array.from({ length: count }, (_, index) => orderOf(random, `#${index + 1}`));
  let world: World = {
    orders: [...orders, { ...orderOf(random, '#0'), refundedOn: REPAID[0] as string }],
    settings: {},
  };
  const shop = await month(world);
  await shop.close();
  for (let close = 0; close < 3; close += 1) {
    for (let changes = 1 + random.below(2); changes > 0; changes -= 1)
      world = random.pick(CHANGES)(world, random);
    await shop.change(world);
    await shop.close();
    const fresh = await month(world);
    await fresh.close();
    expect({ close, ...digestsOf(await shop.files()) }).toEqual({ close, ...digestsOf(await fresh.files()) });
  }
  expect(await shop.verify()).toEqual([]);
});
