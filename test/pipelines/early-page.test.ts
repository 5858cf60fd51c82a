import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixedClock, instant } from '../../src/kernel/calendar.ts';
import { addLine } from '../entry/close.ts';
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

test('books that were made early are signed only when it is said why', async () => {
  const shop = await month({ orders: ORDERS });
  await shop.closeWith((same) => same, on(10, 20));
  const sign = (role: string, name: string, openExceptions: string) =>
    shop.ports(
      (ports) => addLine(ports, { label: '2026-10', what: 'signed', role, name, openExceptions }),
      on(10, 23),
    );
  await expect(sign('preparer', 'Dana', '')).rejects.toMatchObject({ code: 'E_PERIOD_UNFINISHED' });
  await sign('preparer', 'Dana', 'the shop closes today');
  await sign('reviewer', 'Kim', 'the shop closes today');
  expect(await noteOf(shop)).toBe(EARLY);
  expect((await shop.run('status')).stdout).toMatch(
    /^2026-10 +signed on .* UTC by Dana as preparer: the shop closes today$/m,
  );
  expect(await shop.verify()).toEqual([]);
});
