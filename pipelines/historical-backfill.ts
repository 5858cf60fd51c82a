import * as z from 'zod';
import { type BackfillPorts, backfillDays } from '../src/core/backfill.ts';
import { PeriodParam } from '../src/periods/close-ports.ts';
import { definePipeline } from '../src/runtime/pipeline.ts';

/**
 * Close the months of a range. The exports are read once, and the call budget is checked for all months before the
 * first call. Then each month is closed in order, like a monthly close. A month that fails does not stop the others, and
 * a locked month is left unchanged.
 *
 * Safe to run again at any time.
 */
export const historicalBackfill = definePipeline(
  'historical-backfill',
  z.strictObject({ period: PeriodParam }),
  (run, close: BackfillPorts, { period: range }) => backfillDays(run, close, range),
);
