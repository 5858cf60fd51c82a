import { dirname } from 'node:path';
import { checkBudget, planOfSales } from '../ask/plan-calculations.ts';
import { monthFigures } from '../close/figures/month-figures.ts';
import { type FilingPeriod, isWithin, monthsOf } from '../kernel/period.ts';
import { shownCount } from '../kernel/text.ts';
import { type Locks, publishedPeriods } from '../periods/folders.ts';
import { notedRun } from '../periods/runs.ts';
import { isEmbedded } from '../run/close-ports.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { backfillFolder } from './backfill-folder.ts';
import { type ClosedPeriod, closeRead, type Reading, readStage } from './close.ts';
import { type BackfillPorts, closeMonths, type PlannedMonth } from './close-months.ts';
import { outdatedBehind, takeLocks } from './locked.ts';
import { postedSales } from './plan.ts';
import { inputsOf, toldBefore } from './unchanged.ts';
import { writeBackfill } from './write-backfill.ts';

/**
 * Closes the months of a range after one reading of the exports. The call budget is checked for all of them before the
 * first call. They are closed in order, because each takes over what the one before leaves; one that fails does not stop
 * the others.
 */
export const backfillDays = async (run: StageRunner, ports: BackfillPorts, range: FilingPeriod) => {
  backfillFolder(ports, range);
  const locks = await takeLocks(ports);
  const before = await monthsBefore(ports, locks, range);
  const left = monthsOf(range).slice(before.length);
  const reading = left.length > 0 ? await readStage(run, ports, locks) : undefined;
  const planned = await run.stage('plan', async (advanced) => {
    const kept = new Set<string>();
    const months: PlannedMonth[] = [...before];
    for (const period of reading ? left : []) {
      // Each close asks its own service again, and a remote one only for what no month before it has asked.
      const asked = isEmbedded(ports) ? new Set<string>() : kept;
      const locked = await lockedMonth(locks, period);
      const sales = locked || !reading ? [] : postedSales(reading.exports, period);
      const { toAsk } = await planOfSales(ports, sales, asked);
      months.push(locked ?? { kind: 'to close', period, calculations: toAsk });
      advanced(months.length, monthsOf(range).length);
    }
    const toClose = months.filter((month) => month.kind === 'to close');
    const toAsk = toClose.reduce((sum, { calculations }) => sum + calculations, 0);
    checkBudget({ toAsk, budget: ports.maxCalculations ?? null }, `the ${toClose.length} months need`);
    const countOf = (kind: PlannedMonth['kind']): number => months.filter((one) => one.kind === kind).length;
    const summary = `${toClose.length} to close with ${shownCount(toAsk)} calculations or more, ${countOf('closed before')} closed before, ${countOf('locked')} locked`;
    return { value: months, summary };
  });
  const months = await run.stage('months', (advanced) =>
    closeMonths(ports, planned, advanced, (stages, own, period) =>
      notedRun(own, 'historical-backfill', period, async () =>
        closeRead({
          run: stages,
          ports: own,
          period,
          inputs: await inputsOf(own, period),
          ...(reading as Reading),
        }),
      ),
    ),
  );
  const written = await run.stage('report', () => writeBackfill(ports, range, months));
  return {
    inputs: [],
    months,
    written,
    outdated: await outdatedBehind(ports, locks),
  };
};

/** Returns a month whose days are locked, with its figures where it was locked by itself. */
const lockedMonth = async (locks: Locks, period: FilingPeriod): Promise<PlannedMonth | undefined> => {
  const lock = locks.periods.find(
    ({ first, last }) => isWithin({ first, last }, period.first) && isWithin({ first, last }, period.last),
  );
  if (!lock) return undefined;
  const published = await publishedPeriods(dirname(lock.folder), new Set([lock.name]));
  const own = lock.label === period.label ? await published.of(lock.name) : undefined;
  const figures = own && {
    states: own.leaves.states,
    readiness: own.leaves.readiness,
    open: own.manifest.content.exceptions.open,
  };
  return { kind: 'locked', period, by: lock.name, figures };
};

/** Returns the first months of a range that are locked, or closed and unchanged. Each rests on those before it. */
const monthsBefore = async (ports: BackfillPorts, locks: Locks, range: FilingPeriod) => {
  const months: PlannedMonth[] = [];
  const known = new Map<string, string>();
  for (const period of monthsOf(range)) {
    const locked = await lockedMonth(locks, period);
    const inputs = locked ? undefined : await inputsOf(ports, period, known);
    const told = inputs ? await toldBefore<ClosedPeriod>(ports, period, inputs) : undefined;
    if (told) {
      const { report } = (await notedRun(ports, 'historical-backfill', period, async () => told)).written;
      months.push({ kind: 'closed before', period, figures: monthFigures(report) });
    } else if (locked) months.push(locked);
    else break;
  }
  return months;
};
