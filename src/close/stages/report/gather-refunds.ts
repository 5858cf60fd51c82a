import type { FilingPeriod } from '../../../kernel/period.ts';
import { logPiece } from '../../evidence/log-file.ts';
import { type EarlierTax, earlierTaxGivenBack } from '../../reconcile/earlier-tax.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { exceptionsOfRefund } from '../../reconcile/refund-exceptions.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { EvidenceLogs } from './evidence-logs.ts';
import type { GatheredSales } from './gather-sales.ts';
import { refundLinksOf } from './refund-links.ts';

/** Logs each refund with its order, and returns their exceptions, and the tax that was given back for earlier sales. */
export const gatherRefunds = async (
  workspace: Workspace,
  period: FilingPeriod,
  { refunds, orders, corrections }: Pick<GatheredSales, 'refunds' | 'orders' | 'corrections'>,
  logs: EvidenceLogs,
): Promise<{ readonly drafts: readonly DraftException[]; readonly earlierTax: readonly EarlierTax[] }> => {
  const drafts: DraftException[] = [];
  const earlier = earlierTaxGivenBack(period);
  corrections.forEach(earlier.seeRow);
  for await (const links of refundLinksOf(workspace, period, refunds.batches(), orders)) {
    await logs.write({ refunds: logPiece(links.map((link) => JSON.stringify(link))) });
    for (const link of links) {
      drafts.push(...exceptionsOfRefund(link));
      earlier.see(link);
    }
  }
  return { drafts, earlierTax: earlier.all() };
};
