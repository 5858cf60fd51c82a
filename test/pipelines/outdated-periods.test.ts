import { expect, test } from 'vitest';
import type { Figures } from '../support/figures.ts';
import { type Month, type MonthData, month } from '../support/month.ts';

/** An order on each of these days of 2026. */
const on = (...days: readonly string[]): MonthData => ({
  orders: days.map((day, index) => ({ name: `#${index + 1}`, at: `2026-${day}` })),
});

/** The closed months that a close finds out of date. */
const outdatedAfter = async (shop: Month, period: string): Promise<readonly string[]> => {
  const { stdout } = await shop.run('close', period, '--json');
  return (JSON.parse(stdout) as Figures).outdated;
};

const SAYS = '2026-09, on which it builds, was closed again since';

/** A shop whose September was closed again after October, with one order more. */
const outdatedOctober = async (): Promise<Month> => {
  const shop = await month(on('09-10', '10-10'));
  for (const period of ['2026-09', '2026-10']) expect(await outdatedAfter(shop, period)).toEqual([]);
  await shop.change(on('09-10', '10-10', '09-20'));
  expect(await outdatedAfter(shop, '2026-09')).toEqual(['2026-10']);
  return shop;
};

test('a month is out of date when the month before it is closed again with other books, until it is closed again', async () => {
  const shop = await outdatedOctober();
  expect((await shop.run('status', '2026-10')).stdout).toMatch(
    new RegExp(`^2026-10 .*\n {19}NOT CURRENT: ${SAYS}; close it again\n`),
  );
  expect(await outdatedAfter(shop, '2026-10')).toEqual([]);
  expect((await shop.run('status')).stdout).not.toContain('NOT CURRENT');
});

test('a locked month is not out of date, whatever its exports say', async () => {
  const shop = await month(on('09-10', '10-10'));
  for (const period of ['2026-09', '2026-10']) {
    await shop.close(period);
    await shop.told(0, 'lock', period);
  }
  await shop.change(on('09-10', '10-10', '10-20'));
  expect((await shop.close('2026-11')).outdated).toEqual([]);
});
