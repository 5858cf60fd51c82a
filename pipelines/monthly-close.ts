import * as z from 'zod';
import { closeDays } from '../src/core/close.ts';
import { type ClosePorts, PeriodParam } from '../src/periods/close-ports.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/**
 * Close one filing period: read the exports, compare them with the locked periods, calculate the tax that each sale
 * should have carried, record every sale with the tax service and read it back, explain every cent of difference, and
 * write the workbooks.
 *
 * Safe to run again at any time: what is done is found done.
 */
export const monthlyClose = definePipeline(
  'monthly-close',
  z.strictObject({ period: PeriodParam }),
  async (run, close: ClosePorts, { period }) => ({ inputs: [], ...(await closeDays(run, close, period)) }),
);
