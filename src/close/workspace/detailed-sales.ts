import type { FilingPeriod } from '../../kernel/period.ts';
import { type DetailRow, detailRowOf } from '../reconcile/detail-row.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import { postingOf } from '../sales/sale.ts';
import { byKey, type PartOfSales, type StoredSale, salesOf } from './sales-of.ts';
import type { Workspace } from './workspace.ts';

/** A sale of the period with what was found about it. */
export type DetailedSale = StoredSale & {
  readonly row: DetailRow;
  readonly reconciled: ReconciledSale | undefined;
  /** Its figures as the workspace has them; empty when there are none. */
  readonly figures: string;
};

/** Every sale of the period, or of a part of it, page by page, in the order of Detail. */
export async function* detailedPages(
  workspace: Workspace,
  period: FilingPeriod,
  part?: PartOfSales,
): AsyncGenerator<readonly DetailedSale[]> {
  for await (const page of salesOf(workspace, period, part)) yield detailedPage(workspace, page);
}

const detailedPage = async (
  workspace: Workspace,
  page: readonly StoredSale[],
): Promise<readonly DetailedSale[]> => {
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
  return page.map((stored) => detailed(stored, found.get(stored.sale.key)?.body));
};

/** Every sale of the period, in the order of Detail. */
export async function* detailedSales(
  workspace: Workspace,
  period: FilingPeriod,
): AsyncGenerator<DetailedSale> {
  for await (const page of detailedPages(workspace, period)) yield* page;
}

const detailed = (stored: StoredSale, found: string | undefined): DetailedSale => {
  const { sale, filed } = stored;
  const posting = postingOf(sale);
  const known = filed ? (filed.figures ?? undefined) : found;
  const body = posting === 'posted' ? known : undefined;
  const reconciled = body === undefined ? undefined : (JSON.parse(body) as ReconciledSale);
  return { ...stored, row: detailRowOf(sale, posting, reconciled), reconciled, figures: body ?? '' };
};
