import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { lockClosed } from '../../src/close/stages/lock/lock-closed.ts';
import { lastRuns } from '../../src/close/workspace/runs.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { parsePeriod } from '../../src/kernel/period.ts';
import { closeHere, portsHere } from '../support/close-here.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder } from '../support/tieout.ts';

const OCTOBER = parsePeriod('2026-10') as NonNullable<ReturnType<typeof parsePeriod>>;

const closedShop = async () => {
  const folder = await temporaryFolder();
  await writeOrders(folder, 'orders.csv', [{ name: '#1' }]);
  await writeShop(folder, ['orders.csv']);
  await closeHere(folder);
  return folder;
};

const lockOn = (folder: string, day: string, openExceptions = '') =>
  portsHere(folder, (ports) => {
    const clock = fixedClock(instant(Date.parse(`${day}T12:00:00Z`)));
    return lockClosed({ ...ports, clock }, { label: '2026-10', who: 'Dana', openExceptions });
  });

test('a period that is not over is locked only for a reason', async () => {
  const folder = await closedShop();
  await expect(lockOn(folder, '2026-10-31')).rejects.toMatchObject({
    code: 'E_PERIOD_UNFINISHED',
    message: '2026-10 is not over: its last day is 2026-10-31',
  });
  expect((await lockOn(folder, '2026-10-31', 'the shop has closed for good')).summary).toBe('2026-10 locked');
});

test.for(['2026-11-03', '2026-11-01'])(
  'a period whose last run stopped is not locked, whatever the run before it found: on %s by the clock',
  async (day) => {
    const folder = await closedShop();
    await rm(join(folder, 'orders.csv'));
    const clock = fixedClock(instant(Date.parse(`${day}T12:00:00Z`)));
    const again = portsHere(folder, (ports) => monthlyClose.run(ports, { period: '2026-10' }), { clock });
    await expect(again).rejects.toMatchObject({ code: 'E_EXPORT_MISSING' });
    await expect(lockOn(folder, '2026-11-02')).rejects.toMatchObject({ code: 'E_PERIOD_STALE' });
  },
);

test('a run that cannot even reach its service is noted, and the folder is out of date', async () => {
  const folder = await closedShop();
  const remote = 'service: { url: "http://127.0.0.1:9/v2/", retries: 0 }';
  await writeShop(folder, ['orders.csv'], [], remote);
  const run = { pipeline: 'monthly-close', period: OCTOBER };
  const reached = portsHere(folder, async () => 'reached', { run, variable: () => 'key' });
  await expect(reached).rejects.toMatchObject({ code: 'E_SERVICE_UNAVAILABLE' });
  await access(join(folder, 'out', 'shop', '2026-10.out-of-date.txt'));
  await writeShop(folder, ['orders.csv']);
  const [last] = await portsHere(folder, ({ workspace }) => lastRuns(workspace));
  expect(last).toMatchObject({ period: '2026-10', exitCode: 69 });
});
