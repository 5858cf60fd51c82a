import type { FilingPeriod } from '../../../kernel/period.ts';
import { batches } from '../../../runtime/batches.ts';
import { postedSalesOf, slotsOf } from '../../period-sales/sales-of.ts';
import { registerFilesOf } from '../../workspace/certificate-files.ts';
import { locksOf } from '../../workspace/locks.ts';
import { beginningOf, SALES_OF_PAGE, type SalesPage, slotOf } from '../../workspace/sale-page.ts';
import type { SalePageHead } from '../../workspace/sale-page-rows.ts';
import { salePageHeads } from '../../workspace/sale-pages.ts';
import { type PageKind, pageHeads } from '../../workspace/stage-pages.ts';
import { reconciledFrom, reconcileInput } from '../inputs/reconciled-from.ts';
import type { Advanced, ClosePorts, Threads } from '../run/close-ports.ts';
import type { BatchFigures, BatchStage } from './batch.ts';
import { distribute } from './distribute.ts';

/** Returns the threads if enough sales must be processed. A month that was closed before usually has few. */
const threadsFor = async (ports: ClosePorts, period: FilingPeriod): Promise<Threads | undefined> => {
  const { threads } = ports;
  if (!threads) return undefined;
  const counted = countedBefore.get(threads) ?? new Map<string, Promise<number>>();
  countedBefore.set(threads, counted);
  const changed = counted.get(period.label) ?? salesOfChangedPages(ports, period);
  counted.set(period.label, changed);
  return (await changed) > threads.salesMin() ? threads : undefined;
};

/**
 * The number of sales to process per period, counted by the first stage of a run before it did anything. It also
 * applies to the later stages. A run has its own threads and closes a period once.
 */
const countedBefore = new WeakMap<Threads, Map<string, Promise<number>>>();

/**
 * Returns the number of sales on pages that have changed since they were reconciled, including changes in the pages of
 * other stages.
 */
const salesOfChangedPages = async (ports: ClosePorts, period: FilingPeriod): Promise<number> => {
  const { workspace } = ports;
  const pages = await salePageHeads(workspace, period);
  const days = { first: beginningOf(period.first), last: beginningOf(period.last) };
  const heads = async (kind: PageKind) =>
    new Map((await pageHeads(workspace, kind, days)).map((head) => [head.slot, head]));
  const reconciled = await heads('reconciled');
  const isPlain = (await locksOf(workspace)).length + (await registerFilesOf(workspace)).length === 0;
  const found = reconciled.size > 0 && isPlain ? await Promise.all(reconciledFrom(ports).map(heads)) : [];
  const isSame = (page: SalePageHead): boolean => {
    const slot = slotOf(page);
    const digests = found.map((pages) => pages.get(slot)?.digest ?? null);
    return reconciled.get(slot)?.input === reconcileInput(ports, period, page.content, digests);
  };
  return pages.reduce((total, page) => (isSame(page) ? total : total + page.rows), 0);
};

type Task<Figures> = {
  readonly stage: BatchStage;
  readonly period: FilingPeriod;
  readonly counted: Figures;
  /** Returns the figures of a page that is complete, so that no worker is needed for it. */
  readonly done?: (page: SalesPage) => Promise<Partial<Figures> | undefined>;
};

/**
 * Have workers or threads process a stage page by page. Returns the total figures of all pages; `undefined` without
 * workers or threads, or with too few sales for threads: then this thread must do it.
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
    return distribute(ports, helpers, task, batches(slotsOf(workspace, task.period), pages), advanced);
  const known: Record<string, number> = {};
  async function* left(): AsyncGenerator<string> {
    for await (const page of postedSalesOf(workspace, task.period)) {
      const figures = await done?.(page);
      if (!figures) yield page.slot;
      for (const [name, value] of Object.entries(figures ?? {}))
        known[name] = (known[name] ?? 0) + Number(value);
    }
  }
  const figures = await distribute(ports, workers, task, batches(left(), pages), advanced);
  const added = Object.entries(known).map(([name, value]) => [name, (figures[name] ?? 0) + value]);
  return { ...figures, ...Object.fromEntries(added) };
};
