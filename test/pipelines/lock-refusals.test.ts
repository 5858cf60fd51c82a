import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lock } from '../../pipelines/lock.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { type Month, month } from '../support/month.ts';

const ORDERS = { orders: [{ name: '#1' }] };
const PERIOD = { period: '2026-10' };

const on = (day: string) => ({ clock: fixedClock(instant(Date.parse(`${day}T12:00:00Z`))) });
const closeOn = (shop: Month, day: string) => shop.ports((ports) => monthlyClose.run(ports, PERIOD), on(day));
const lockOn = (shop: Month, day: string, openExceptions = '') =>
  shop.ports((ports) => lock.run(ports, { ...PERIOD, who: 'Dana', openExceptions }), on(day));

test('a period that is not over is locked only for a reason', async () => {
  const shop = await month(ORDERS);
  await closeOn(shop, '2026-10-31');
  await expect(lockOn(shop, '2026-10-31')).rejects.toMatchObject({
    code: 'E_PERIOD_UNFINISHED',
    message: '2026-10 is not over: its last day is 2026-10-31',
  });
  await lockOn(shop, '2026-10-31', 'the shop has closed for good');
  expect(await shop.told(0, 'status')).toMatchObject({ locks: [{ period: '2026-10' }] });
});

test.for(['2026-11-03', '2026-11-01'])(
  'a period whose last run stopped is not locked, whatever the run before it found: on %s by the clock',
  async (day) => {
    const shop = await month(ORDERS);
    await closeOn(shop, '2026-11-02');
    await rm(join(shop.folder, 'orders.csv'));
    await expect(closeOn(shop, day)).rejects.toMatchObject({ code: 'E_EXPORT_MISSING' });
    await expect(lockOn(shop, '2026-11-02')).rejects.toMatchObject({ code: 'E_PERIOD_STALE' });
  },
);

test('a run that cannot even reach its service is noted, and the folder is out of date', async () => {
  const shop = await month(ORDERS);
  await shop.close();
  await shop.change({ settings: { service: { url: 'http://127.0.0.1:9/v2/', retries: 0 } } });
  const { stderr } = await shop.runWith({ env: { TIEOUT_SERVICE_KEY: 'key' } }, 'close', '2026-10');
  expect(stderr).toMatch(/^E_SERVICE_UNAVAILABLE: /);
  expect(await shop.read('out/shop/2026-10.out-of-date.txt')).toContain('2026-10');
  expect(await shop.told(0, 'status')).toMatchObject({ periods: [{ period: '2026-10', exitCode: 69 }] });
});
