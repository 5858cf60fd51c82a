import { batchesOf } from '../../../runtime/batches.ts';
import type { LateItem } from '../../periods/late-item.ts';
import { BATCH_ROWS } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../close-ports.ts';
import { calculationAsker } from './asker.ts';
import { lateSales } from './late-sales.ts';
import { contextOf, pendingSales } from './pending-sales.ts';
import { recomputePage } from './recompute-tax.ts';

/**
 * Compute the tax of late items under the law of their own days, so that their effect can be shown before they are
 * decided. With a budget that does not cover them they stay without it; what explains variances is not asked here.
 */
export const recomputeLate = async (ports: ClosePorts, items: readonly LateItem[]): Promise<void> => {
  if (items.length > (ports.maxCalculations ?? Number.MAX_SAFE_INTEGER)) return;
  const context = contextOf(ports);
  const sales = lateSales(items);
  const asker = calculationAsker(ports, () => {});
  for (const page of batchesOf(sales, BATCH_ROWS)) {
    const pending = await pendingSales(ports, page, context);
    await recomputePage(ports, pending, context, { asker, asked: 0, left: Number.MAX_SAFE_INTEGER });
  }
};
