import { addDays, type CalendarDate } from '../../../kernel/calendar.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { filingPlan } from '../../workspace/filing-plan.ts';
import { locksOf } from '../../workspace/locks.ts';
import type { Advanced, ClosePorts, Threads } from '../close-ports.ts';
import type { BatchFigures, BatchStage, DayOfSales } from './batch.ts';
import { handOut } from './hand-out.ts';

/** The threads, when there are enough sales for them. */
export const threadsFor = async (
  { threads, workspace }: ClosePorts,
  { first, last }: FilingPeriod,
): Promise<Threads | undefined> => {
  if (!threads) return undefined;
  const further = await workspace.tables
    .selectFrom('sale')
    .select('key')
    .where('entity', '=', workspace.entity)
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .orderBy('business_date')
    .offset(threads.salesMin)
    .limit(1)
    .execute();
  return further.length > 0 ? threads : undefined;
};

/**
 * Have threads do a stage day by day. Answers the sums of the figures of all days, or `undefined` when there are no
 * threads, or too few sales for them, and the stage is to be done at one go.
 */
export const byDays = async <Figures extends BatchFigures>(
  ports: ClosePorts,
  task: { readonly stage: BatchStage; readonly period: FilingPeriod; readonly counted: Figures },
  advanced: Advanced,
): Promise<Figures | undefined> => {
  const threads = await threadsFor(ports, task.period);
  return threads && handOut(ports, threads, task, daysOf(ports, task.period), advanced);
};

async function* daysOf({ workspace }: ClosePorts, period: FilingPeriod): AsyncGenerator<DayOfSales[]> {
  for (const { first, last } of filingPlan(period, await locksOf(workspace)).spans)
    for (let day: CalendarDate = first; day <= last; day = addDays(day, 1)) yield [{ day }];
}
