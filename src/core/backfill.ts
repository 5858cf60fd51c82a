import { notedRun } from '../close/published/runs.ts';
import { backfillFolder } from '../close/stages/backfill/backfill-folder.ts';
import { type BackfillPorts, closeMonths } from '../close/stages/backfill/close-months.ts';
import { writeBackfill } from '../close/stages/backfill/write-backfill.ts';
import { checkBudget, planOfSales } from '../close/stages/recompute/plan-calculations.ts';
import { type FilingPeriod, monthsOf } from '../kernel/period.ts';
import { shownCount } from '../kernel/shown-figures.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { closeRead, readStage } from './close.ts';
import { outdatedBehind, takeLocks } from './locked.ts';
import { postedSales } from './plan.ts';

/**
 * Closes the months of a range after one reading of the exports. The call budget is checked for all of them before the
 * first call. They are closed in order, because each takes over what the one before leaves; one that fails does not stop
 * the others.
 */
export const backfillDays = async (run: StageRunner, ports: BackfillPorts, range: FilingPeriod) => {
  backfillFolder(ports, range);
  const reading = await readStage(run, ports, await takeLocks(ports));
  const { exports } = reading;
  const planned = await run.stage('plan', async (advanced) => {
    const asked = new Set<string>();
    const months = [];
    for (const period of monthsOf(range)) {
      const { toAsk } = await planOfSales(ports, postedSales(exports, period), asked);
      months.push({ kind: 'to close', period, calculations: toAsk } as const);
      advanced(months.length, monthsOf(range).length);
    }
    const toAsk = months.reduce((sum, { calculations }) => sum + calculations, 0);
    checkBudget({ toAsk, budget: ports.maxCalculations ?? null }, `the ${months.length} months need`);
    const summary = `${months.length} to close with ${shownCount(toAsk)} calculations or more, 0 closed before, 0 locked`;
    return { value: months, summary };
  });
  const months = await run.stage('months', (advanced) =>
    closeMonths(ports, planned, { parallel: 1, advanced }, (stages, own, period) =>
      notedRun(own, 'historical-backfill', period, () =>
        closeRead({
          run: stages,
          ports: own,
          period,
          ...reading,
        }),
      ),
    ),
  );
  const written = await run.stage('report', () => writeBackfill(ports, range, months));
  return {
    inputs: [],
    months,
    written,
    outdated: await outdatedBehind(ports, reading.locks),
  };
};
