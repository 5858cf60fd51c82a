import type { FilingPeriod } from '../../../kernel/period.ts';
import { batches } from '../../../runtime/batches.ts';
import { SALES_OF_PAGE } from '../../workspace/sale-page.ts';
import { slotsOf } from '../../workspace/sales-of.ts';
import type { Advanced, ClosePorts, Threads } from '../close-ports.ts';
import type { BatchFigures, BatchStage } from './batch.ts';
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
 * Have workers elsewhere, or threads, do a stage page by page. Answers the sums of the figures of all pages, or
 * `undefined` when there are none, or too few sales for them, and this thread is to do it.
 */
export const byPages = async <Figures extends BatchFigures>(
  ports: ClosePorts,
  task: { readonly stage: BatchStage; readonly period: FilingPeriod; readonly counted: Figures },
  advanced: Advanced,
): Promise<Figures | undefined> => {
  const workers = ports.workers ?? (await threadsFor(ports, task.period));
  if (!workers) return undefined;
  const pages = Math.max(1, Math.round(workers.itemsPerPiece / SALES_OF_PAGE));
  return handOut(ports, workers, task, batches(slotsOf(ports.workspace, task.period), pages), advanced);
};
