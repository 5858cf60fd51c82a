import type { FilingPeriod } from '../../kernel/period.ts';
import { type DetailRow, detailRowOf } from '../reconcile/detail-row.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import { type Posting, postingOf, type Sale } from '../sales/sale.ts';
import { byKey, type LateNote, salesOf } from './sales-of.ts';
import type { Workspace } from './workspace.ts';

export type DetailedSale = {
  readonly row: DetailRow;
  readonly sale: Sale;
  readonly reconciled: ReconciledSale | undefined;
  /** The digest of the sale, and its figures as the workspace has them; empty when there are none. */
  readonly digest: string;
  readonly figures: string;
  readonly late: LateNote | undefined;
};

/** Every sale of the period with what was found about it, in the order of Detail. */
export async function* detailedSales(
  workspace: Workspace,
  period: FilingPeriod,
): AsyncGenerator<DetailedSale> {
  for await (const page of salesOf(workspace, period)) {
    const rows = await workspace.tables
      .selectFrom('reconciled')
      .select(['key', 'body'])
      .where('entity', '=', workspace.entity)
      .where(
        'key',
        'in',
        page.map(({ sale }) => sale.key),
      )
      .execute();
    const found = byKey(rows);
    for (const { sale, digest, filed, late } of page) {
      const posting: Posting = postingOf(sale);
      const known = filed ? (filed.figures ?? undefined) : found.get(sale.key)?.body;
      const body = posting === 'posted' ? known : undefined;
      const reconciled = body === undefined ? undefined : (JSON.parse(body) as ReconciledSale);
      yield {
        row: detailRowOf(sale, posting, reconciled),
        sale,
        reconciled,
        digest,
        figures: body ?? '',
        late,
      };
    }
  }
}
