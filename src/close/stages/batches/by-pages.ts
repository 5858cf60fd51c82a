import type { FilingPeriod } from '../../../kernel/period.ts';
import { batches, batchesOf } from '../../../runtime/batches.ts';
import { SALES_OF_PAGE, type SalesPage } from '../../workspace/sale-page.ts';
import { postedSalesOf, slotsOf } from '../../workspace/sales-of.ts';
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

type Task<Figures> = {
  readonly stage: BatchStage;
  readonly period: FilingPeriod;
  readonly counted: Figures;
  /** The figures of a page of which nothing is left to do, so that no worker elsewhere is needed for it. */
  readonly done?: (page: SalesPage) => Promise<Partial<Figures> | undefined>;
};

/**
 * Have workers elsewhere, or threads, do a stage page by page. Answers the sums of the figures of all pages, or
 * `undefined` when there are none, or too few sales for them, and this thread is to do it.
 */
export const byPages = async <Figures extends BatchFigures>(
  ports: ClosePorts,
  { done, ...task }: Task<Figures>,
  advanced: Advanced,
): Promise<Figures | undefined> => {
  const { workspace, workers } = ports;
  const helpers = workers ?? (await threadsFor(ports, task.period));
  if (!helpers) return undefined;
  const pages = Math.max(1, Math.round(helpers.itemsPerPiece / SALES_OF_PAGE));
  if (!workers || !done)
    return handOut(ports, helpers, task, batches(slotsOf(workspace, task.period), pages), advanced);
  const counted: Record<string, number> = { ...task.counted };
  const left: string[] = [];
  for await (const page of postedSalesOf(workspace, task.period)) {
    const known = await done(page);
    if (!known) left.push(page.slot);
    for (const [name, value] of Object.entries(known ?? {}))
      counted[name] = (counted[name] ?? 0) + Number(value);
  }
  const given = { ...task, counted: counted as Figures };
  return handOut(ports, workers, given, eachOf(batchesOf(left, pages)), advanced);
};

async function* eachOf<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
