import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixedClock, instant } from '../../src/kernel/calendar.ts';
import { type Month, month } from '../support/month.ts';

const ORDERS = [{ name: '#1', at: '2026-10-05' }];
const on = (month: number, day: number) => ({
  clock: fixedClock(instant(Date.UTC(2026, month - 1, day, 20))),
});

/** What the page of October says of books that were made early. */
const noteOf = async (shop: Month): Promise<string | undefined> => {
  const page = await readFile(join(shop.out(), 'report.html'), 'utf8');
  return /<p id="preliminary">(.*?)<\/p>/.exec(page)?.[1];
};

const EARLY = 'Preliminary: made before the period was over. Close it again after its last day, 2026-10-31.';

test('a page that was made before its period was over says so, and is the same on each day', async () => {
  const shop = await month({ orders: ORDERS });
  const closeOn = (...day: Parameters<typeof on>) => shop.closeWith((same) => same, on(...day));
  await closeOn(10, 20);
  expect(await noteOf(shop)).toBe(EARLY);
  expect(await shop.verify()).toEqual([]);

  const first = await shop.files();
  await closeOn(10, 22);
  expect(await shop.files()).toEqual(first);

  await shop.change({ orders: [...ORDERS, { name: '#2', at: '2026-10-22' }] });
  await closeOn(10, 31);
  expect(await noteOf(shop)).toBe(EARLY);

  await closeOn(11, 1);
  expect(await noteOf(shop)).toBeUndefined();
  expect(await shop.verify()).toEqual([]);
});
