import { expect, onTestFinished, test } from 'vitest';
import { cutOffRun, lastRuns, latestStart, startRun } from '../../../src/close/workspace/runs.ts';
import { openWorkspace } from '../../../src/close/workspace/workspace.ts';
import { connect } from '../../../src/database/connect.ts';
import { instant } from '../../../src/kernel/calendar.ts';
import { fixedClock } from '../../../src/kernel/clock.ts';
import { onEveryDatabase } from '../../support/databases.ts';

const NOVEMBER = instant(Date.UTC(2026, 10, 2));
const JUNE = instant(Date.UTC(2020, 5, 1));

onEveryDatabase(({ newUrl }) => {
  test('the last run is the one that began last, also when the clock has jumped back or stood still', async () => {
    const database = await connect(await newUrl());
    onTestFinished(() => database.close());
    const workspace = await openWorkspace(database, 'shop');
    const begin = (at: typeof NOVEMBER) =>
      startRun(workspace, fixedClock(at), {
        pipeline: 'monthly-close',
        period: '2026-10',
        figures: { configuration: String(at) },
      });
    const last = async () => (await lastRuns(workspace))[0];

    await (await begin(NOVEMBER)).finish(0, {});
    expect(await last()).toMatchObject({ exitCode: 0, filesOf: NOVEMBER, filesAreCurrent: true });
    const jumped = await begin(JUNE);
    expect(await last()).toMatchObject({ started: JUNE, filesOf: NOVEMBER, filesAreCurrent: false });
    expect(await cutOffRun(workspace, '2026-10')).toEqual({ configuration: String(JUNE) });
    await jumped.finish(0, {});
    expect(await last()).toMatchObject({ started: JUNE, filesOf: JUNE, filesAreCurrent: true });
    await begin(JUNE);
    expect(await last()).toMatchObject({ exitCode: null, filesOf: JUNE, filesAreCurrent: false });
    expect(await latestStart(workspace)).toBe(NOVEMBER);
  });
});
