import type { FilingPeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import type { Workers } from '../../../runtime/workers.ts';
import type { Sale } from '../../sales/sale.ts';
import { postedSalesOf, type StoredSale } from '../../workspace/sales-of.ts';
import { handOut } from '../batches/hand-out.ts';
import type { Advanced, ClosePorts } from '../close-ports.ts';
import { digestOfRequest, nothingDue } from './calculations.ts';
import { contextOf, pendingSales } from './pending-sales.ts';
import type { CalculatedFigures } from './recompute-tax.ts';
import { withoutRelief } from './relief.ts';

/**
 * Have workers recompute what is left to do of a period. Sales that ask the same are in the same batch: within one
 * process a request is asked once, and two workers do not hear of one another's. When too many for a batch ask the
 * same, the rest of them wait until the first ones have the answer.
 */
export const handOutRecompute = async (
  ports: ClosePorts,
  workers: Workers,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<CalculatedFigures> => {
  const { known, alike } = await pendingByRequest(ports, period, advanced);
  const size = workers.itemsPerPiece;
  const first = alike.map((keys) => keys.slice(0, size));
  const rest = alike.map((keys) => keys.slice(size)).flatMap((keys) => [...batchesOf(keys, size)]);
  const none = { asked: 0, calculated: 0, known, skipped: 0, refused: 0 };
  const task = { stage: 'recompute', period } as const;
  const counted = await handOut(ports, workers, { ...task, counted: none }, together(first, size), advanced);
  return handOut(ports, workers, { ...task, counted }, together(rest, size), advanced);
};

type Alike = readonly (readonly string[])[];

/** The keys of the sales that are left to do, by the request that they make. */
const pendingByRequest = async (
  ports: ClosePorts,
  period: FilingPeriod,
  advanced: Advanced,
): Promise<{ readonly known: number; readonly alike: Alike }> => {
  const context = contextOf(ports);
  const alike = new Map<string, string[]>();
  let known = 0;
  for await (const page of postedSalesOf(ports.workspace, period)) {
    const pending = await pendingOf(ports, page, context);
    known += page.length - pending.length;
    for (const { sale } of pending) {
      const request = requestOf(ports, sale);
      const keys = alike.get(request);
      if (keys) keys.push(sale.key);
      else alike.set(request, [sale.key]);
    }
    advanced(0);
  }
  return { known, alike: [...alike.values()] };
};

/** What is not calculated as it is now, and exempt sales of which nobody has asked yet what they relieve. */
const pendingOf = async (
  ports: ClosePorts,
  page: readonly StoredSale[],
  context: string,
): Promise<readonly StoredSale[]> => {
  const pending = new Set(await pendingSales(ports, page, context));
  const unasked = await withoutRelief(
    ports,
    page.map(({ sale }) => sale),
  );
  return page.filter((stored) => pending.has(stored) || unasked.has(stored.sale.key));
};

/** A sale of which nothing is due asks nothing and is alike to no other. */
const requestOf = (ports: ClosePorts, sale: Sale): string =>
  nothingDue(ports, sale) === undefined ? digestOfRequest(ports, sale) : sale.key;

/** Groups put together to batches. */
async function* together(groups: Alike, size: number): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  for (const keys of groups) {
    batch.push(...keys);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
