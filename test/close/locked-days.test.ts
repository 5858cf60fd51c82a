import { expect, test } from 'vitest';
import { runningShop, type Told } from '../support/running-shop.ts';
import type { ShopOrder } from '../support/shop.ts';

const orderOf = (name: string, day: string, price: string): ShopOrder => ({
  name,
  at: `${day} 12:00:00 -0800`,
  price,
  tax: (Number(price) * 0.1075).toFixed(2),
});
const quarterOf = (january: string, february: string, march: string): readonly ShopOrder[] => [
  orderOf('#1', '2026-01-31', january),
  orderOf('#2', '2026-02-01', february),
  orderOf('#3', '2026-03-31', march),
];

test('days that a lock holds are as they were filed in every period, and the days around them are open', async () => {
  const place = await runningShop();
  const load = (...prices: [string, string, string]) =>
    place.load({ orders: { 'orders.csv': quarterOf(...prices) } });
  /** What a period comes to. That another one is out of date is said on the way. */
  const gross = async (code: number, period: string) => {
    const closed = await place.run('close', period);
    expect([period, closed.code]).toEqual([period, code]);
    return (JSON.parse(closed.stdout) as Told).totals['gross'];
  };
  const carry = (code: number, period: string) =>
    place.told(code, 'late', period, '--carry', '--as', 'Dana', '--reason', 'small');

  await load('100.00', '100.00', '100.00');
  for (const period of ['2026-01', '2026-03']) {
    expect(await gross(0, period)).toBe('100.00');
    await place.told(0, 'lock', period);
  }
  await load('120.00', '300.00', '140.00');
  expect(await gross(1, '2026-Q1')).toBe('500.00');

  // What is carried goes to the first day behind the lock that no lock holds.
  await carry(0, '2026-01');
  expect(await gross(0, '2026-02')).toBe('320.00');
  await carry(0, '2026-03');
  expect(await gross(0, '2026-04')).toBe('40.00');
  expect(await gross(0, '2026-Q1')).toBe('520.00');
  await place.told(0, 'lock', '2026-02', '--open-exceptions', 'decided');
  await load('160.00', '300.00', '140.00');
  await carry(0, '2026-01');
  expect(await gross(0, '2026-04')).toBe('80.00');
  expect(await gross(0, '2026-Q1')).toBe('520.00');
  expect(await gross(0, '2026-01')).toBe('100.00');
});

test('a lock of a quarter holds the days of its months', async () => {
  const place = await runningShop();
  await place.load({ orders: { 'orders.csv': quarterOf('100.00', '140.00', '120.00') } });
  await place.told(0, 'close', '2026-Q1');
  await place.told(0, 'lock', '2026-Q1');
  await place.load({ orders: { 'orders.csv': quarterOf('200.00', '200.00', '200.00') } });
  for (const [period, gross] of [
    ['2026-01', '100.00'],
    ['2026-02', '140.00'],
    ['2026-Q1', '360.00'],
  ] as const)
    expect([period, JSON.parse((await place.run('close', period)).stdout)]).toMatchObject([
      period,
      { totals: { gross } },
    ]);
});
