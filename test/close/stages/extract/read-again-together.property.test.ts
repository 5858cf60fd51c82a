import { expect, test } from 'vitest';
import { type Random, seeded } from '../../../hostile/random.ts';
import { runs } from '../../../support/runs.ts';
import {
  OAKLAND,
  type Order,
  ordersExport,
  PORTLAND,
  type Refund,
  refundsExport,
  refundsOf,
  SEATTLE,
  type TemplateRow,
  templateExport,
} from '../../../support/shop-exports.ts';
import { readAgain } from './read-again.ts';

const DAYS = ['2026-10-03', '2026-10-10', '2026-10-11', '2026-10-30'];
const PLACES = [OAKLAND, SEATTLE, PORTLAND];

const orderOf = (random: Random, number: number): Order => ({
  name: `#${1000 + number}`,
  at: random.pick(DAYS),
  price: (random.below(40_000) / 100).toFixed(2),
  to: random.pick(PLACES),
  ...(random.below(3) === 0 && { refundedOn: '2026-10-31' }),
  ...(random.below(4) === 0 && {
    lines: [
      { sku: 'A', quantity: 1, price: '5.00', name: 'Lamp, "tall"\nand green' },
      { sku: 'B', quantity: 2, price: '7.50' },
    ],
  }),
});

const many = <Item>(count: number, make: (number: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, number) => make(number));

const oneChanged = <Item>(items: readonly Item[], random: Random, change: (item: Item) => Item) => {
  const at = random.below(items.length);
  return items.map((item, index) => (index === at ? change(item) : item));
};

const LOADS = 6;

/** `READ_AGAIN=1-200` for two hundred histories of each kind. */
const [first = 1, last = first + 1] = (process.env['READ_AGAIN'] ?? '1-2').split('-').map(Number);
const SEEDS = Array.from({ length: runs(last - first + 1) }, (_, index) => first + index);

test.for(SEEDS)('orders and the repayments of another file (%i)', async (seed) => {
  const random = seeded(seed);
  const shop = await readAgain('[{ name: shop, files: [orders.csv], refundDates: [refunds.csv] }]', 3);
  let orders = many(30, (number) => orderOf(random, number));
  // Repayments of orders that stand in no file, too.
  let refunds: readonly Refund[] = [{ order: '#77', amount: '5.00' }, ...refundsOf(orders)];
  let parts = 0;
  for (let load = 0; load < LOADS; load += 1) {
    await shop.write('orders.csv', ordersExport(orders));
    await shop.write('refunds.csv', refundsExport(refunds));
    const { inParts, inShares, fromEndToEnd, isPart } = await shop.read();
    expect(inParts).toEqual(fromEndToEnd);
    expect(inShares).toEqual(fromEndToEnd);
    if (isPart) parts += 1;
    orders = oneChanged(orders, random, (order) =>
      random.pick<Order>([
        { ...order, price: '77.77' },
        { ...order, at: random.pick(DAYS) },
        { ...order, to: random.pick(PLACES) },
        { ...order, refunded: '1.00' },
        { ...order, name: '#77' },
        { ...order, status: 'voided' },
      ]),
    );
    const more = { order: random.pick(orders).name, amount: '3.00' };
    refunds = random.pick<readonly Refund[]>([
      refunds,
      refunds,
      [...refunds, more],
      [more, ...refunds],
      refunds.slice(1),
      refunds.slice(0, -1),
      oneChanged(refunds, random, (refund) => ({ ...refund, amount: '4.00' })),
    ]);
  }
  expect(parts).toBeGreaterThan(0);
  await shop.end();
});

test.for(SEEDS)('refunds that have rows of their own (%i)', async (seed) => {
  const random = seeded(seed);
  const shop = await readAgain('[{ name: shop, files: [orders.csv] }]', 3);
  const priceBelow = (dollars: number): string => (random.below(dollars * 100) / 100).toFixed(2);
  // Several refunds of one order know each other; some come to more than their order.
  const refundedOrder = (): string => String(5 * random.below(4));
  let rows: readonly TemplateRow[] = many(40, (number) => ({
    name: String(number),
    price: priceBelow(400),
    at: random.pick(DAYS),
    to: random.pick(PLACES),
    ...(number % 5 >= 3 && { refundOf: refundedOrder(), name: `r${number}`, price: priceBelow(40) }),
  }));
  let parts = 0;
  for (let load = 0; load < LOADS; load += 1) {
    await shop.write('orders.csv', templateExport(rows));
    const { inParts, inShares, fromEndToEnd, isPart } = await shop.read();
    expect(inParts).toEqual(fromEndToEnd);
    expect(inShares).toEqual(fromEndToEnd);
    if (isPart) parts += 1;
    rows = oneChanged(rows, random, (row) =>
      random.pick<TemplateRow>([
        { ...row, price: '77.77' },
        { ...row, at: random.pick(DAYS) },
        { ...row, to: random.pick(PLACES) },
        { ...row, exemption: 'wholesale' },
        row.refundOf === undefined ? row : { ...row, refundOf: refundedOrder() },
        row.refundOf === undefined ? row : { ...row, name: `${row.name}-more` },
      ]),
    );
  }
  expect(parts).toBeGreaterThan(0);
  await shop.end();
});

test('refunds no longer know one that is now of another order', async () => {
  const shop = await readAgain('[{ name: shop, files: [orders.csv] }]', 3);
  const refund = (name: string, refundOf: string): TemplateRow => ({ name, refundOf, price: '10.00' });
  const exported = (ofFirst: string): string =>
    templateExport([
      refund('r1', ofFirst),
      ...many(12, (number) => ({ name: `${number}` })),
      refund('r2', '1'),
    ]);
  const knowsOther = async () => {
    const { inParts, fromEndToEnd, isPart } = await shop.read();
    expect(inParts).toEqual(fromEndToEnd);
    const sale = inParts.left.stated.flatMap((one) =>
      'sale' in one && one.key.endsWith('r2') ? [one.sale] : [],
    );
    return [sale[0]?.partOf?.before !== undefined, isPart];
  };
  await shop.write('orders.csv', exported('1'));
  expect(await knowsOther()).toEqual([true, false]);
  await shop.write('orders.csv', exported('2'));
  expect(await knowsOther()).toEqual([false, true]);
  await shop.end();
});

test.for(SEEDS)('several files of a channel, of which some have orders of others (%i)', async (seed) => {
  const random = seeded(seed);
  const shop = await readAgain('[{ name: shop, files: ["orders*.csv"] }]', 3);
  const files = [0, 1, 2].map((file) => many(12, (number) => orderOf(random, file * 100 + number)));
  let parts = 0;
  for (let load = 0; load < LOADS; load += 1) {
    // The second file comes with the second reading, the third with the fourth.
    for (const [index, orders] of files.slice(0, 1 + Math.ceil(load / 2)).entries())
      await shop.write(`orders-${index}.csv`, ordersExport(orders));
    const { inParts, inShares, fromEndToEnd, isPart } = await shop.read();
    expect(inParts).toEqual(fromEndToEnd);
    expect(inShares).toEqual(fromEndToEnd);
    if (isPart) parts += 1;
    const at = random.below(3);
    const orders = files[at] ?? [];
    files[at] = [...oneChanged(orders, random, (order) => ({ ...order, price: '77.77' }))];
    if (load === 4) files[1] = [...(files[1] ?? []), files[0]?.[0] ?? orderOf(random, 0)];
  }
  expect(parts).toBeGreaterThan(0);
  await shop.end();
});

test('one more place of business holds what was sold in person anywhere', async () => {
  const shop = await readAgain('[{ name: shop, files: [orders.csv] }]', 3);
  const sold = many(12, (number): Order => ({ name: `#${number}` }));
  const exported = (places: readonly string[]): string => {
    const [head = '', ...rows] = ordersExport(sold).trimEnd().split('\n');
    const columns = head.split(',');
    const at = rows.map((row, index) =>
      row
        .split(',')
        .map((cell, column) => (columns[column] === 'Location' ? (places[index] ?? 'Pier 9') : cell))
        .map((cell, column) => (columns[column] === 'Source' ? 'pos' : cell))
        .map((cell, column) => (columns[column]?.startsWith('Shipping ') ? '' : cell))
        .join(','),
    );
    return `${[head, ...at].join('\n')}\n`;
  };
  for (const places of [[], ['Ferry Plaza'], ['Embarcadero'], [], []]) {
    await shop.write('orders.csv', exported(places));
    const { inParts, inShares, fromEndToEnd } = await shop.read();
    expect(inParts).toEqual(fromEndToEnd);
    expect(inShares).toEqual(fromEndToEnd);
    const held = inParts.left.sales.filter(({ outcome }) => outcome === 'review');
    expect(held).toHaveLength(places.length === 0 ? 0 : sold.length);
  }
  await shop.end();
});

test('an export that is replaced while a part is read stops the close, and is read whole the next time', async () => {
  const shop = await readAgain('[{ name: shop, files: [orders.csv] }]', 3);
  const orders = many(12, (number): Order => ({ name: `#${number}` }));
  await shop.write('orders.csv', ordersExport(orders));
  await shop.read();
  const replaced = ordersExport(orders.map((order, at) => (at === 5 ? { ...order, price: '77.77' } : order)));
  await shop.write('orders.csv', ordersExport([{ name: '#0', price: '5.00' }, ...orders.slice(1)]));
  const stopped = await shop.read(() => shop.writeAtOnce('orders.csv', replaced));
  expect(stopped.inParts.said).toContain('E_EXPORT_CHANGED');
  expect(stopped.inParts.left.digests).toEqual(['']);
  const { inParts, inShares, fromEndToEnd } = await shop.read();
  expect(inParts.left.sales).toEqual(fromEndToEnd.left.sales);
  expect(inShares.left.sales).toEqual(fromEndToEnd.left.sales);
  expect(inParts.left.sales.filter(({ isNow }) => isNow)).toHaveLength(12);
  await shop.end();
});
