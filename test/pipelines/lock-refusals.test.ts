import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixedClock, instant } from '../../src/kernel/calendar.ts';
import { exists } from '../../src/runtime/publish-folder.ts';
import { addLine, pipelines } from '../entry/close.ts';
import { type Month, month } from '../support/month.ts';
import { ownContent } from '../support/own-content.ts';

const ORDERS = { orders: [{ name: '#1' }] };

const on = (day: string) => ({ clock: fixedClock(instant(Date.parse(`${day}T12:00:00Z`))) });
const closeOn = (shop: Month, day: string) =>
  shop.ports((ports) => pipelines.monthlyClose.run(ports, { period: '2026-10' }), on(day));

test('a period that was closed into another folder is locked and unlocked there', async () => {
  const shop = await month(ORDERS);
  const books = join(shop.folder, 'books');
  const signing = ['sign', '2026-10', '--as', 'Dana', '--role', 'preparer'];
  expect(await shop.refused(...signing)).toBe('E_PERIOD_NOT_CLOSED');
  await shop.close('2026-10', '--output', books);
  expect(await shop.refused(...signing)).toBe('E_PERIOD_NOT_CLOSED');
  expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_NOT_CLOSED');
  await shop.told(0, 'lock', '2026-10', '--output', books);
  expect(await exists(join(books, 'shop', '2026-10', 'evidence', 'lock.json'))).toBe(true);
  await shop.told(0, 'unlock', '2026-10', '--reason', 'a try', '--output', books);
  expect(await shop.told(0, 'status', '--output', books)).toMatchObject({ periods: [{ isLocked: false }] });
});

test('a channel that has another name since the lock does not stop the quarter, which knows where its records are', async () => {
  const till = { files: ['orders.csv'], provider: 'till' };
  const shop = await month({ ...ORDERS, settings: { channels: [{ ...till, name: 'desk' }] } });
  await shop.close();
  await shop.told(0, 'lock', '2026-10');
  await shop.change({ settings: { channels: [{ ...till, name: 'other' }], policy: { lateItems: 'carry' } } });
  expect((await shop.close('2026-Q4')).totals).toMatchObject({ collected: '10.75' });
  const manifest = await shop.manifest('2026-Q4');
  expect(manifest).toHaveProperty('content.derivation.providers', { desk: 'till', other: 'till' });
});

test('a month that was closed before its last day, and is over now, is closed again before it is locked', async () => {
  const shop = await month(ORDERS);
  await closeOn(shop, '2026-10-20');
  const { stdout } = await shop.run('status');
  expect(stdout).toMatch(/^ {19}NOT CURRENT: closed before its last day was over; close it again$/m);
  expect(stdout).toMatch(/^Next: `tieout close 2026-10 --config \S+`\.$/m);
  expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_STALE');
  await shop.close();
  expect((await shop.run('status')).stdout).not.toContain('NOT CURRENT');
  await shop.told(0, 'lock', '2026-10');
});

test('a month is locked after the month before it was closed again only when it is closed again itself', async () => {
  const orders = [
    { name: '#1', at: '2026-09-10' },
    { name: '#2', at: '2026-10-10' },
  ];
  const shop = await month({ orders });
  await shop.close('2026-09');
  await shop.close();
  expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_EARLIER_OPEN');
  await shop.change({ orders: [...orders, { name: '#3', at: '2026-09-20' }] });
  const again = await shop.run('close', '2026-09');
  expect(again.stdout).toContain(
    '2026-10 is out of date: 2026-09, on which it builds, was closed again since. Close it again.\n',
  );
  await shop.told(0, 'lock', '2026-09');
  expect((await shop.run('status')).stdout).toMatch(
    /^ {19}NOT CURRENT: 2026-09, on which it builds, was closed again since; close it again$/m,
  );
  expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_STALE');
  await shop.close();
  await shop.told(0, 'lock', '2026-10');
  expect(await shop.verify()).toEqual([]);
});

test('what would come out otherwise with other tax content, or another program, is neither signed nor locked', async () => {
  const shop = await month(ORDERS);
  const { content, raiseCalifornia } = await ownContent(shop.folder);
  await shop.close('2026-10', '--content', content);
  const before = await shop.files();
  const newer = shop.ports((ports) => addLine(ports, { label: '2026-10' }), { content, version: '1' });
  await expect(newer).rejects.toMatchObject({ code: 'E_PERIOD_STALE' });
  await raiseCalifornia();
  expect(await shop.refused('lock', '2026-10', '--content', content)).toBe('E_PERIOD_STALE');
  const dana = ['--as', 'Dana', '--role', 'preparer', '--content', content];
  expect(await shop.refused('sign', '2026-10', ...dana)).toBe('E_PERIOD_STALE');
  expect(await shop.files()).toEqual(before);
});
