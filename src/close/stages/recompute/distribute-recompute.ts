import type { FilingPeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import type { Workers } from '../../../runtime/worker-pool.ts';
import { postedSalesOf } from '../../period-sales/sales-of.ts';
import type { SalesPage } from '../../workspace/sale-page.ts';
import type { Advanced, ClosePorts } from '../run/close-ports.ts';
import type { PageBatch } from '../sharing/batch.ts';
import { distribute } from '../sharing/distribute.ts';
import { calculationCache } from './calculation-cache.ts';
import { answersTo, digestOfRequest, nothingDue } from './calculations.ts';
import { pendingPage } from './pending-sales.ts';
import { type CalculatedFigures, NOTHING_CALCULATED } from './recompute-pages.ts';

/**
 * Have workers request the calculations that sales of several pages share from a remote service, before they process
 * the pages. Within one process an equal request is made once, but two workers do not know of each other's requests.
 */
export const askShared = async (
  ports: ClosePorts,
  workers: Workers,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<CalculatedFigures> => {
  const asked = await sharedRequests(ports, period, advanced);
  async function* parts(): AsyncGenerator<Pick<PageBatch, 'slots' | 'keys'>> {
    for (const part of batchesOf(asked, workers.itemsPerPiece))
      yield { slots: [...new Set(part.map(({ slot }) => slot))], keys: part.map(({ key }) => key) };
  }
  return distribute(ports, workers, { stage: 'ask', period, counted: NOTHING_CALCULATED }, parts(), advanced);
};

type Asking = { readonly slot: string; readonly key: string; isShared: boolean };

/** Returns one sale for each request that sales of several pages share. */
const sharedRequests = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<readonly Asking[]> => {
  const requests = new Map<string, Asking>();
  for await (const page of postedSalesOf(ports.workspace, period)) {
    const { slot } = page;
    const { pending } = await pendingPage(ports, page);
    for (const { sale } of pending.filter(({ sale }) => nothingDue(ports, sale) === undefined)) {
      const digest = digestOfRequest(ports, sale);
      const first = requests.get(digest);
      if (!first) requests.set(digest, { slot, key: sale.key, isShared: false });
      else if (first.slot !== slot) first.isShared = true;
    }
    advanced(0);
  }
  return [...requests.values()].filter(({ isShared }) => isShared);
};

/** Request the tax of some sales of these pages. The answers are stored, and the pages are processed later. */
export const askPages = async (
  ports: ClosePorts,
  pages: AsyncIterable<SalesPage>,
  keys: ReadonlySet<string>,
  advanced: Advanced,
): Promise<{ readonly asked: number }> => {
  const cache = calculationCache(ports, () => advanced(0));
  const calls = { cache, asked: 0, left: Number.MAX_SAFE_INTEGER };
  for await (const { sales } of pages) {
    const wanted = sales.map(({ sale }) => sale).filter(({ key }) => keys.has(key));
    await answersTo(ports, wanted, calls);
  }
  return { asked: calls.asked };
};
