import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Instant, instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { type Progress, silentProgress } from '../../src/runtime/progress.ts';
import { neverStopping, type Stopping } from '../../src/runtime/stopping.ts';
import { pipelines } from '../entry/close.ts';
import { portsHere } from '../support/close-here.ts';
import { onEveryDatabase } from '../support/databases.ts';
import { writeOrders, writeShop } from '../support/shop.ts';
import { temporaryFolder, tieout } from '../support/tieout.ts';

/** Later than the clock of the commands, and far earlier. */
const LATER = instant(Date.UTC(2090, 10, 2));
const EARLIER = instant(Date.UTC(2020, 5, 1));

onEveryDatabase(({ newUrl }) => {
  test('the last run is the one that began last, also when the clock has jumped back or stood still', async () => {
    const folder = await temporaryFolder();
    const databases = `databases: { ledger: "${await newUrl()}", workspace: "${await newUrl()}" }\n`;
    await writeOrders(folder, 'orders.csv', [{ name: '#1' }]);
    await writeShop(folder, ['orders.csv'], [], databases);
    const args = ['--config', join(folder, 'tieout.yaml'), '--json'];
    const close = (at: Instant, watch: { progress?: Progress; stopping?: Stopping } = {}) =>
      portsHere(
        folder,
        (ports) =>
          pipelines.monthlyClose.run(
            { ...ports, progress: silentProgress, stopping: neverStopping, ...watch },
            { period: '2026-10' },
          ),
        { clock: fixedClock(at) },
      );
    const last = async (): Promise<unknown> => {
      const { stdout } = await tieout(['status', ...args]);
      const { periods } = JSON.parse(stdout) as { readonly periods: readonly unknown[] };
      expect(periods).toHaveLength(1);
      return periods[0];
    };

    await close(LATER);
    expect(await last()).toMatchObject({
      exitCode: 0,
      started: LATER,
      filesOf: LATER,
      filesAreCurrent: true,
    });

    await expect(close(EARLIER, { stopping: { isAsked: () => true } })).rejects.toMatchObject({
      code: 'E_STOPPED',
    });
    expect(await last()).toMatchObject({ started: EARLIER, filesOf: LATER, filesAreCurrent: false });

    let during: Promise<unknown> = Promise.resolve();
    const progress: Progress = {
      ...silentProgress,
      finished: () => {
        during = last();
      },
    };
    await close(EARLIER, { progress });
    expect(await last()).toMatchObject({ started: EARLIER, filesOf: EARLIER, filesAreCurrent: true });
    expect(await during).toMatchObject({ started: EARLIER });

    const { stdout } = await tieout(['doctor', ...args]);
    expect(stdout).toContain('before the last run');
  });
});
