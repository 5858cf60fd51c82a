import { renameSync, writeFileSync } from 'node:fs';
import { appendFile, cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { exists } from '../../src/runtime/exists.ts';
import { pipelines } from '../entry/close.ts';
import { type Month, month } from '../support/month.ts';

const ORDERS = { orders: [{ name: '#1' }] };
const PERIOD = { period: '2026-10' };

const on = (day: string) => ({ clock: fixedClock(instant(Date.parse(`${day}T12:00:00Z`))) });
const closeOn = (shop: Month, day: string) =>
  shop.ports((ports) => pipelines.monthlyClose.run(ports, PERIOD), on(day));
const lockOn = (shop: Month, day: string, openExceptions = '') =>
  shop.ports((ports) => pipelines.lock.run(ports, { ...PERIOD, who: 'Dana', openExceptions }), on(day));

test('a copied shop locks its own folder, and leaves alone the one that it was closed in', async () => {
  const shop = await month(ORDERS);
  await shop.close();
  const place = join(shop.folder, 'copy');
  await cp(join(shop.folder, '.tieout'), join(place, '.tieout'), { recursive: true });
  const copy = await month(ORDERS, place);
  const { code, stderr } = await copy.run('lock', '2026-10');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `E_PERIOD_ELSEWHERE: the last close of 2026-10 wrote ${shop.out()}, and ${copy.out()} was to be locked.\nRun \`tieout close 2026-10 --config ${copy.config}\` again, which writes ${copy.out()}, and lock then; or name the other place with --output.\nThis was \`tieout lock 2026-10\` with ${copy.config}.\n`,
  });
  await copy.close();
  await copy.told(0, 'lock', '2026-10');
  expect([...(await copy.files()).keys()]).toContain('evidence/lock.json');
  expect([...(await shop.files()).keys()]).not.toContain('evidence/lock.json');

  const before = await shop.files();
  await copy.told(0, 'unlock', '2026-10', '--reason', 'a try');
  expect([...(await copy.files()).keys()]).not.toContain('evidence/lock.json');
  expect(await shop.files()).toEqual(before);
});

test('a period that was closed into another folder is locked and unlocked there', async () => {
  const shop = await month(ORDERS);
  const books = join(shop.folder, 'books');
  const signing = ['sign', '2026-10', '--as', 'Dana', '--role', 'preparer'];
  expect(await shop.refused(...signing)).toBe('E_PERIOD_NOT_CLOSED');
  await shop.close('2026-10', '--output', books);
  expect(await shop.refused(...signing)).toBe('E_PERIOD_ELSEWHERE');
  expect(await shop.refused('lock', '2026-10')).toBe('E_PERIOD_ELSEWHERE');
  await shop.told(0, 'lock', '2026-10', '--output', books);
  const locked = join(books, 'shop', '2026-10', 'evidence', 'lock.json');
  expect(await exists(locked)).toBe(true);
  await shop.told(0, 'unlock', '2026-10', '--reason', 'a try', '--output', books);
  expect(await exists(locked)).toBe(false);
});

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

test('a file that changes while somebody is asked about the lock keeps the period open', async () => {
  const shop = await month(ORDERS);
  await closeOn(shop, '2026-11-02');
  const beforeUnsigned = () => appendFile(join(shop.out(), 'report.html'), '<!-- later -->');
  const locking = shop.ports(
    (ports) => pipelines.lock.run({ ...ports, beforeUnsigned }, PERIOD),
    on('2026-11-02'),
  );
  await expect(locking).rejects.toMatchObject({
    code: 'E_PERIOD_STALE',
    message: expect.stringContaining('report.html was changed'),
  });
  expect(await shop.told(0, 'status')).toMatchObject({ locks: [] });
  await closeOn(shop, '2026-11-02');
  await lockOn(shop, '2026-11-02');
  expect(await shop.verify()).toEqual([]);
});

test('a month is locked after the month before it was closed again only when it is closed again itself', async () => {
  const orders = [
    { name: '#1', at: '2026-09-10' },
    { name: '#2', at: '2026-10-10' },
  ];
  const shop = await month({ orders });
  await shop.close('2026-09');
  await shop.close();
  await shop.change({ orders: [...orders, { name: '#3', at: '2026-09-20' }] });
  await shop.close('2026-09');
  const { stderr } = await shop.run('lock', '2026-10');
  expect(stderr).toMatch(/^E_PERIOD_STALE: .*the period before was closed again since/);
  await shop.close();
  await shop.told(0, 'lock', '2026-10');
  expect(await shop.verify()).toEqual([]);
});

test('a signature that was kept and never written keeps the period open until it is closed again', async () => {
  const shop = await month(ORDERS);
  await closeOn(shop, '2026-11-02');
  const [published, aside] = [join(shop.folder, 'out', 'shop'), join(shop.folder, 'aside')];
  const cutOff = { ...PERIOD, role: 'preparer', name: 'Dana', signText: () => becomesFile(published, aside) };
  const signing = shop.ports((ports) => pipelines.sign.run(ports, cutOff as never), on('2026-11-02'));
  await expect(signing).rejects.toThrow('ENOTDIR');
  await rm(published);
  await rename(aside, published);
  await expect(lockOn(shop, '2026-11-02')).rejects.toMatchObject({
    code: 'E_PERIOD_STALE',
    message: expect.stringContaining('the signature of Dana as preparer'),
  });
  await closeOn(shop, '2026-11-02');
  await lockOn(shop, '2026-11-02');
  expect((await shop.manifest()).approvals).toMatchObject([{ name: 'Dana' }]);
});

/** Put a file where a folder was, so that nothing can be written there; nothing is signed with a key. */
const becomesFile = (folder: string, aside: string): undefined => {
  renameSync(folder, aside);
  writeFileSync(folder, '');
};

test('a run that cannot even reach its service is noted, and the folder is out of date', async () => {
  const shop = await month(ORDERS);
  await shop.close();
  await shop.change({ settings: { service: { url: 'http://127.0.0.1:9/v2/', retries: 0 } } });
  const { stderr } = await shop.runWith({ env: { TIEOUT_SERVICE_KEY: 'key' } }, 'close', '2026-10');
  expect(stderr).toMatch(/^E_SERVICE_UNAVAILABLE: /);
  expect(await shop.read('out/shop/2026-10.out-of-date.txt')).toContain('2026-10');
  expect(await shop.told(0, 'status')).toMatchObject({ periods: [{ period: '2026-10', exitCode: 69 }] });
});
