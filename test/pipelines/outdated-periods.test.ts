import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { historicalBackfill } from '../../pipelines/historical-backfill.ts';
import { lock } from '../../pipelines/lock.ts';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { outdatedLabels } from '../../src/close/periods/outdated-closings.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { portsHere } from '../support/close-here.ts';
import { writeOrders, writeRefunds, writeShop } from '../support/shop.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

const LATER = { clock: fixedClock(instant(Date.UTC(2027, 0, 2))) };

const writeDays = (folder: string, days: readonly string[]) =>
  writeOrders(
    folder,
    'orders.csv',
    days.map((day, index) => ({ name: `#${index + 1}`, at: `2026-${day} 12:00:00 -0700` })),
  );

const close = async (folder: string, period: string) =>
  (await portsHere(folder, (ports) => monthlyClose.run(ports, { period }), LATER)).outdated;

const shopWithClosedOctober = async (days: readonly string[]): Promise<string> => {
  const folder = await temporaryFolder();
  await writeShop(folder, ['orders.csv']);
  await writeDays(folder, days);
  expect(await close(folder, '2026-10')).toEqual([]);
  return folder;
};

const noteIn = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, 'out', 'shop', '2026-10.out-of-date.txt'), 'utf8').catch(() => undefined);

const labelsIn = (folder: string) =>
  portsHere(folder, async ({ workspace }) => [...(await outdatedLabels(workspace))]);

test.for([
  ['has one more order of it', ['10-10', '10-11', '11-05', '10-20']],
  ['has an order of it under a day of another month', ['10-10', '11-11', '11-05']],
  ['has an order of it under another day', ['10-10', '10-12', '11-05']],
] as const)(
  'a closed month is out of date when an export that another close reads %s, until it is closed again',
  async ([, days]) => {
    const folder = await shopWithClosedOctober(['10-10', '10-11', '11-05']);
    await writeDays(folder, days);
    expect(await close(folder, '2026-11')).toEqual(['2026-10']);
    expect(await noteIn(folder)).toBe(
      'The files in 2026-10 are out of date: what the exports say of 2026-10 has changed since it was closed.\n' +
        'Run `tieout close 2026-10` again; this note goes when the files are up to date.\n',
    );
    expect(await close(folder, '2026-11')).toEqual(['2026-10']);

    expect(await close(folder, '2026-10')).toEqual([]);
    expect([await noteIn(folder), await labelsIn(folder)]).toEqual([undefined, []]);
  },
);

test('a closed month is not out of date when only another month has changed, or when its own is put back', async () => {
  const before = ['10-10', '10-11', '11-05'];
  const folder = await shopWithClosedOctober(before);
  await writeDays(folder, [...before, '11-06']);
  expect(await close(folder, '2026-11')).toEqual([]);
  await writeDays(folder, ['10-10', '10-12', '11-05', '11-06']);
  expect(await close(folder, '2026-11')).toEqual(['2026-10']);
  await writeDays(folder, [...before, '11-06']);
  expect(await close(folder, '2026-11')).toEqual([]);
  expect(await noteIn(folder)).toBeUndefined();
});

test('a closed month is not out of date when an order of it stands in another file, or money of it came back later', async () => {
  const folder = await shopWithClosedOctober(['10-10', '11-05']);
  await writeOrders(folder, 'all.csv', [
    { name: '#2', at: '2026-11-05 12:00:00 -0700' },
    { name: '#1', at: '2026-10-10 12:00:00 -0700', status: 'refunded', refunded: '110.75' },
  ]);
  await writeRefunds(folder, 'refunds.csv', [
    { order: '#1', at: '2026-11-12 12:00:00 -0700', amount: '110.75' },
  ]);
  await writeShop(folder, ['all.csv'], ['refunds.csv']);
  expect(await close(folder, '2026-11')).toEqual([]);
});

test('what comes for a locked month is late, and the month is not out of date', async () => {
  const folder = await shopWithClosedOctober(['10-10', '11-05']);
  await portsHere(folder, (ports) => lock.run(ports, { period: '2026-10', who: 'Dana' }), LATER);
  await writeDays(folder, ['10-10', '11-05', '10-20']);
  expect(await close(folder, '2026-11')).toEqual([]);
});

test('a backfill names the closed months outside of its range', async () => {
  const folder = await shopWithClosedOctober(['10-10', '11-05']);
  await writeDays(folder, ['10-11', '11-05']);
  const period = '2026-11..2026-12';
  const { outdated } = await portsHere(folder, (ports) => historicalBackfill.run(ports, { period }), LATER);
  expect(outdated).toEqual(['2026-10']);
});

test('a close says so even where it is quiet, and status says it later', async () => {
  const folder = await shopWithClosedOctober(['10-10', '11-05']);
  await writeDays(folder, ['10-11', '11-05']);
  const config = ['--config', join(folder, 'tieout.yaml')];
  const closed = await tieout(['close', '2026-11', '--quiet', '--output', join(folder, 'out'), ...config]);
  expect(closed).toMatchObject({
    stdout: '',
    stderr: '2026-10 is out of date: what the exports say of it has changed since. Close it again.\n',
  });
  expect((await stat(join(folder, 'out', 'shop', '2026-11'))).isDirectory()).toBe(true);
  const { stdout } = await tieout(['status', '2026-10', ...config]);
  expect(stdout).toMatch(
    /^2026-10 .*\n {19}NOT CURRENT: what the exports say of it has changed since; close it again\n$/,
  );
});
