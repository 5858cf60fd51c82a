import { expect, test } from 'vitest';
import type { Figures } from '../support/figures.ts';
import { month } from '../support/month.ts';
import type { Order } from '../support/shop-exports.ts';

/** An order each on the last day of January, the first of February and the last of March. */
const quarterOf = (
  january: string,
  february: string,
  march: string,
): { readonly orders: readonly Order[] } => ({
  orders: [
    { name: '#1', at: '2026-01-31', price: january },
    { name: '#2', at: '2026-02-01', price: february },
    { name: '#3', at: '2026-03-31', price: march },
  ],
});

test('days that a lock holds are as they were filed in every period, and the days around them are open', async () => {
  const shop = await month(quarterOf('100.00', '100.00', '100.00'));
  const load = (...prices: [string, string, string]) => shop.change(quarterOf(...prices));
  /** What a period comes to. That another one is out of date is said on the way. */
  const gross = async (code: number, period: string) => {
    const closed = await shop.run('close', period, '--json');
    expect([period, closed.code]).toEqual([period, code]);
    return (JSON.parse(closed.stdout) as Figures).totals['gross'];
  };
  const carry = (code: number, period: string) =>
    shop.told(code, 'late', period, '--carry', '--as', 'Dana', '--reason', 'small');

  for (const period of ['2026-01', '2026-03']) {
    expect(await gross(0, period)).toBe('100.00');
    await shop.told(0, 'lock', period);
  }
  await load('120.00', '300.00', '140.00');
  expect(await gross(1, '2026-Q1')).toBe('500.00');

  // What is carried goes to the first day behind the lock that no lock holds. April has no order of its own: it is open.
  await carry(0, '2026-01');
  expect(await gross(0, '2026-02')).toBe('320.00');
  const [late] = (await shop.rows('Exceptions', '2026-02')).filter((row) => row['Code'] === 'late-filed');
  expect(late?.['What']).toContain('20.00 gross, 2.15 tax collected');
  await carry(0, '2026-03');
  expect(await gross(1, '2026-04')).toBe('40.00');
  expect(await gross(1, '2026-Q1')).toBe('520.00');
  await shop.told(0, 'lock', '2026-02', '--open-exceptions', 'decided');
  await load('160.00', '300.00', '140.00');
  await carry(0, '2026-01');
  expect(await gross(1, '2026-04')).toBe('80.00');
  expect(await gross(1, '2026-Q1')).toBe('520.00');
  expect(await gross(0, '2026-01')).toBe('100.00');
});

test('a lock of a quarter holds the days of its months', async () => {
  const registrations = [{ state: 'CA', since: '2019-01-01', frequency: 'quarterly' }];
  const shop = await month({ ...quarterOf('100.00', '140.00', '120.00'), settings: { registrations } });
  await shop.told(0, 'close', '2026-Q1');
  await shop.told(0, 'lock', '2026-Q1');
  await shop.change(quarterOf('200.00', '200.00', '200.00'));
  for (const [period, gross] of [
    ['2026-01', '100.00'],
    ['2026-02', '140.00'],
    ['2026-Q1', '360.00'],
  ] as const)
    expect([period, JSON.parse((await shop.run('close', period, '--json')).stdout)]).toMatchObject([
      period,
      { totals: { gross } },
    ]);
});
