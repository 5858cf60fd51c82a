import * as z from 'zod';
import { type ComparePorts, compareServices } from '../src/close/stages/compare/compare-services.ts';
import { writeComparison } from '../src/close/stages/compare/write-comparison.ts';
import { extractSales } from '../src/close/stages/extract/extract-sales.ts';
import { PeriodParam } from '../src/close/stages/run/period-param.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/**
 * Calculate the sales of a period with two tax services and list where their answers differ: a vendor against the
 * embedded service, or new tax content against the current one. Nothing is recorded with either service.
 */
export const servicesCompared = definePipeline(
  'compare-services',
  z.strictObject({ period: PeriodParam }),
  async (run, close: ComparePorts, { period }) => {
    await run.stage('extract', (advanced) => extractSales(close, advanced));

    const comparison = await run.stage('compare', (advanced) => compareServices(close, period, advanced));
    const written = await run.stage('report', () => writeComparison(close, period, comparison));

    return { ...comparison, written };
  },
);
