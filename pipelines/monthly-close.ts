import * as z from 'zod';
import { calculatedBefore, contentChange } from '../src/close/stages/content/content-change.ts';
import { hasRateGaps, rateGaps } from '../src/close/stages/coverage/rate-gaps.ts';
import { extractSales } from '../src/close/stages/extract/extract-sales.ts';
import { resolveLateItems } from '../src/close/stages/late/resolve-late-items.ts';
import { readBackRecords } from '../src/close/stages/read-back/read-back-records.ts';
import { recomputeTax } from '../src/close/stages/recompute/recompute-tax.ts';
import { reconcileSales } from '../src/close/stages/reconcile/reconcile-sales.ts';
import { refuseCalculated } from '../src/close/stages/reconcile/refuse-calculated.ts';
import { silentBefore } from '../src/close/stages/report/silent-channels.ts';
import { writeReport } from '../src/close/stages/report/write-report.ts';
import type { ClosePorts } from '../src/close/stages/run/close-ports.ts';
import { PeriodParam } from '../src/close/stages/run/period-param.ts';
import { outdatedPeriods, recordRun } from '../src/close/stages/run/record-run.ts';
import { runningPeriod } from '../src/close/stages/run/running-period.ts';
import { refuseContradictions } from '../src/close/stages/submit/refuse-contradictions.ts';
import { submitTransactions } from '../src/close/stages/submit/submit-transactions.ts';
import { salesOnPages } from '../src/close/workspace/sale-pages.ts';
import { closeDays } from '../src/core/close.ts';
import type { FilingPeriod } from '../src/kernel/period.ts';
import { definePipeline, type StageRunner } from '../src/runtime/pipeline.ts';

const NAME = 'monthly-close';

/**
 * Close a period whose exports are already read: from the sales in the workspace to the workbooks. The run and its
 * outcome are recorded in the workspace.
 */
export const closeExtracted = (run: StageRunner, close: ClosePorts, period: FilingPeriod) =>
  recordRun(run, close, { pipeline: NAME, period }, () => fromSalesToWorkbooks(run, close, period));

const fromSalesToWorkbooks = async (run: StageRunner, close: ClosePorts, period: FilingPeriod) => {
  await refuseContradictions(close, period);
  const late = await run.stage('late', () => resolveLateItems(close, period));
  const sales = await salesOnPages(close.workspace, period);
  const recomputed = await run.stage('recompute', (advanced) => recomputeTax(close, period, advanced), sales);
  const before = await calculatedBefore(close, period);
  const changed =
    before === undefined ? undefined : await run.stage('content', () => contentChange(close, period, before));
  await refuseCalculated(close, period);
  const submitted = await run.stage(
    'submit',
    (advanced) => submitTransactions(close, period, advanced),
    sales,
  );
  const readBack = await run.stage(
    'read back',
    (advanced) => readBackRecords(close, period, advanced),
    sales,
  );
  const reconciled = await run.stage(
    'reconcile',
    (advanced) => reconcileSales(close, period, advanced),
    sales,
  );
  const written = await run.stage('report', () => writeReport(close, period));

  return { late, recomputed, contentChange: changed, submitted, readBack, reconciled, written };
};

/** Report before any calculation where the service has no nexus, and where the tax content may lack a local rate. */
export const nameGaps = async (run: StageRunner, close: ClosePorts, period: FilingPeriod) => {
  const missing = close.nexusMissing ?? [];
  if (missing.length > 0)
    await run.stage('nexus', async () => ({
      value: missing,
      summary: `the account with the tax service has none today in ${missing.join(', ')}; add these states to the account, or no tax is calculated there`,
    }));
  return hasRateGaps(close, period)
    ? run.stage('coverage', (advanced) => rateGaps(close, period, advanced))
    : { states: [], outdated: [], places: [] };
};

/** Report before reading anything that a period is not over, or has not begun. */
const nameRunningPeriod = async (run: StageRunner, close: ClosePorts, period: FilingPeriod) => {
  const said = runningPeriod(close, period);
  if (said !== undefined) await run.stage('period', async () => ({ value: said, summary: said }));
};

/** Report before any calculation which channels sold until shortly before the period, but not in it. */
const nameSilent = async (run: StageRunner, close: ClosePorts, period: FilingPeriod) => {
  const silent = await silentBefore(close, period);
  const messages = silent.map(({ message }) => message);
  return messages.length === 0
    ? messages
    : run.stage('channels', async () => ({ value: messages, summary: messages.join('; ') }));
};

/**
 * Close one filing period: read the sales, resolve late items of locked periods, recompute the tax that each sale
 * should have carried, record every sale with the tax service, read all of it back, explain every cent of difference,
 * and write the workbooks. The result also names other closed periods that are now out of date.
 *
 * Safe to run again at any time: completed work is not repeated.
 */
export const monthlyClose = definePipeline(
  NAME,
  z.strictObject({ period: PeriodParam }),
  async (run, close: ClosePorts, { period }) => {
    if (close.state !== undefined) return { inputs: [], ...(await closeDays(run, close, period)) };
    const closed = await recordRun(run, close, { pipeline: NAME, period }, async () => {
      await nameRunningPeriod(run, close, period);
      const inputs = await run.stage('extract', (advanced) => extractSales(close, advanced));
      const silent = await nameSilent(run, close, period);
      const gaps = await nameGaps(run, close, period);

      return { inputs, silent, gaps, ...(await fromSalesToWorkbooks(run, close, period)) };
    });

    return { ...closed, outdated: await outdatedPeriods(close) };
  },
);
