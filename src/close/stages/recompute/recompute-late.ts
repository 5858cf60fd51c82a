import type { LateItem } from '../../periods/late-item.ts';
import { beginningOf } from '../../workspace/sale-page.ts';
import { dropPages, pageHeads } from '../../workspace/stage-pages.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { calculationCache } from './calculation-cache.ts';
import { latePages, lateSales } from './late-sales.ts';
import { recomputePage } from './recompute-page.ts';

/**
 * Calculate the tax of late items under the law of their own days, so that their effect can be shown before they are
 * decided. If the budget does not cover them, they stay uncalculated. Questions about variances are not asked here.
 */
export const recomputeLate = async (
  ports: ClosePorts,
  locked: string,
  items: readonly Pick<LateItem, 'sale' | 'carried' | 'digest'>[],
): Promise<void> => {
  if (items.length > (ports.maxCalculations ?? Number.MAX_SAFE_INTEGER)) return;
  const cache = calculationCache(ports, () => {});
  const calls = { cache, asked: 0, left: Number.MAX_SAFE_INTEGER };
  // Taking a carried sale back takes back its tax.
  const shown = items.map(({ sale, carried, digest }) => ({ sale: carried ?? sale, digest }));
  const pages = latePages(locked, lateSales(shown));
  for (const page of pages) await recomputePage(ports, page, { calls, spare: { ...calls, left: 0 } });
  const beginning = beginningOf('undecided', locked);
  const present = new Set(pages.map(({ slot }) => slot));
  for (const stage of ['calculated', 'variances'] as const) {
    const heads = await pageHeads(ports.workspace, stage, { first: beginning, last: beginning });
    const stale = heads.map(({ slot }) => slot).filter((slot) => !present.has(slot));
    await dropPages(ports.workspace, stage, stale);
  }
};
