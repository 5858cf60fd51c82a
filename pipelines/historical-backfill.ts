import * as z from 'zod';
import { backfillFolder } from '../src/close/stages/backfill/backfill-folder.ts';
import {
  type BackfillPorts,
  closeMonths,
  openMonths,
  planMonths,
} from '../src/close/stages/backfill/close-months.ts';
import { writeBackfill } from '../src/close/stages/backfill/write-backfill.ts';
import { extractSales } from '../src/close/stages/extract/extract-sales.ts';
import { PeriodParam } from '../src/close/stages/run/period-param.ts';
import { type NotedStart, outdatedPeriods, recordStart } from '../src/close/stages/run/record-run.ts';
import { backfillDays } from '../src/core/backfill.ts';
import type { FilingPeriod } from '../src/kernel/period.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';
import { closeExtracted } from './monthly-close.ts';

const NAME = 'historical-backfill';

/** Returns what a failed start of a backfill leaves out of date: the months that were closed before and can still be filed. */
export const startOfBackfill = (range: FilingPeriod): NotedStart => ({
  pipeline: NAME,
  periods: (workspace) => openMonths(workspace, range),
});

/**
 * Close the months of a range. The exports are read once, and the call budget is checked for all months before the
 * first call. Then each month is closed in order, like a monthly close. With `parallel` the months overlap, and each
 * stage handles one month at a time. A month that fails does not stop the others, and a locked month is left unchanged.
 *
 * Safe to run again at any time: months that are closed and unchanged are not closed again.
 */
export const historicalBackfill = definePipeline(
  NAME,
  z.strictObject({ period: PeriodParam, parallel: z.int().min(1).default(1) }),
  async (run, close: BackfillPorts, { period: range, parallel }) => {
    if (close.state !== undefined) return backfillDays(run, close, range);
    backfillFolder(close, range);
    const { inputs, planned } = await recordStart(close, startOfBackfill(range), async () => ({
      inputs: await run.stage('extract', (advanced) => extractSales(close, advanced)),
      planned: await run.stage('plan', (advanced) => planMonths(close, range, advanced)),
    }));
    const months = await run.stage('months', (advanced) =>
      closeMonths(close, planned, { parallel, advanced }, (stages, ports, period) =>
        closeExtracted(stages, ports, period),
      ),
    );
    const written = await run.stage('report', () => writeBackfill(close, range, months));

    return { inputs, months, written, outdated: await outdatedPeriods(close) };
  },
);
