import type { FilingPeriod } from '../../../kernel/period.ts';
import { logPiece } from '../../evidence/log-file.ts';
import type { EvidenceLogs } from '../../evidence/logged.ts';
import type { EarlierTax } from '../../reconcile/earlier-tax.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { exceptionsOfRefund } from '../../reconcile/refund-exceptions.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { GatheredSales } from './gather-sales.ts';
import { refundLinksOf } from './refund-links.ts';

/** Logs each refund with its order, and returns their exceptions, and the tax given back for orders of earlier periods. */
export const gatherRefunds = async (
  workspace: Workspace,
  period: FilingPeriod,
  { refunds, orders, replaced, earlier }: Pick<GatheredSales, 'refunds' | 'orders' | 'replaced' | 'earlier'>,
  logs: EvidenceLogs,
): Promise<{ readonly drafts: readonly DraftException[]; readonly earlierTax: readonly EarlierTax[] }> => {
  const drafts: DraftException[] = [];
  for await (const links of refundLinksOf(workspace, period, {
    refunds: refunds.batches(),
    orders,
    replaced,
  })) {
    await logs.write({ refunds: logPiece(links.map((link) => JSON.stringify(link))) });
    for (const link of links) {
      drafts.push(...exceptionsOfRefund(link));
      earlier.see(link);
    }
  }
  return { drafts, earlierTax: earlier.all() };
};
