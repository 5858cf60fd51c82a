import * as z from 'zod';
import { extractSales } from '../src/close/stages/extract/extract-sales.ts';
import { planCalculations } from '../src/close/stages/recompute/plan-calculations.ts';
import type { ClosePorts } from '../src/close/stages/run/close-ports.ts';
import { PeriodParam } from '../src/close/stages/run/period-param.ts';
import { planSubmissions } from '../src/close/stages/submit/plan-submissions.ts';
import { readStage } from '../src/core/close.ts';
import { takeLocks } from '../src/core/locked.ts';
import { planDays } from '../src/core/plan.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';
import { nameGaps } from './monthly-close.ts';

/**
 * Estimate what closing a period would request, send and cost. The exports are read, but the tax service is not called,
 * nothing is sent to it, and no workbook is written.
 */
export const closePlan = definePipeline(
  'close-plan',
  z.strictObject({ period: PeriodParam }),
  async (run, close: ClosePorts, { period }) => {
    if (close.state !== undefined) {
      const { exports } = await readStage(run, close, await takeLocks(close));
      return { inputs: [], ...(await planDays(run, close, period, exports)) };
    }
    const inputs = await run.stage('extract', (advanced) => extractSales(close, advanced));
    const gaps = await nameGaps(run, close, period);
    const calculations = await run.stage('recompute', (advanced) =>
      planCalculations(close, period, advanced),
    );
    const submissions = await run.stage('submit', (advanced) => planSubmissions(close, period, advanced));

    return { inputs, gaps, calculations, submissions };
  },
);
