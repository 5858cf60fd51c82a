import * as z from 'zod';
import { planDays } from '../src/core/plan.ts';
import { readStage, takeLocks } from '../src/core/reading.ts';
import { wasRead } from '../src/judge/input-findings.ts';
import { type ClosePorts, PeriodParam } from '../src/periods/close-ports.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/**
 * Estimate what closing a period would request, send and cost. The exports are read, but the tax service is not called,
 * nothing is sent to it, and no workbook is written.
 */
export const closePlan = definePipeline(
  'close-plan',
  z.strictObject({ period: PeriodParam }),
  async (run, close: ClosePorts, { period }) => {
    const reading = await readStage(run, close, await takeLocks(close));
    const inputs = reading.exports.inputs.filter(wasRead);
    return { inputs, ...(await planDays(run, close, period, reading)) };
  },
);
