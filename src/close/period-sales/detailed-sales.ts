import type { FilingPeriod } from '../../kernel/period.ts';
import { type DetailRow, detailRowOf } from '../reconcile/detail-row.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import { postingOf } from '../sales/sale.ts';
import type { SalesPage } from '../workspace/sale-page.ts';
import { readPage } from '../workspace/stage-pages.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { salesOf } from './sales-of.ts';
import type { SettledSale } from './with-settled-exemption.ts';

/** The figures of a sale: a row of the pages of `reconciled`. */
export type FiguredSale = { readonly key: string; readonly figures: ReconciledSale };

/** A sale with its figures, those of a filed one as they were filed; `undefined` when there are none. */
export type FoundSale = SettledSale & { readonly reconciled: ReconciledSale | undefined };

/** A sale of the period with its figures and its row of Detail. */
export type DetailedSale = FoundSale & { readonly row: DetailRow };

/** Returns the figures of a sale as JSON, those of a filed one as they were filed; empty when there are none. */
export const figuresText = ({ filed, reconciled }: FoundSale): string =>
  reconciled ? (filed?.figures ?? JSON.stringify(reconciled)) : '';

/** Returns a page with the figures and the row of Detail of each sale. */
export const detailedPage = async (
  workspace: Workspace,
  { slot, sales }: SalesPage<SettledSale>,
): Promise<SalesPage<DetailedSale>> => {
  const rows = (await readPage<FiguredSale>(workspace, 'reconciled', slot))?.rows ?? [];
  const found = new Map(rows.map(({ key, figures }) => [key, figures]));
  return { slot, sales: sales.map((stored) => detailedSale(stored, found.get(stored.sale.key))) };
};

/** Yields every sale of the period, in the order of Detail. */
export async function* detailedSales(
  workspace: Workspace,
  period: FilingPeriod,
): AsyncGenerator<DetailedSale> {
  for await (const page of salesOf(workspace, period)) yield* (await detailedPage(workspace, page)).sales;
}

/** Returns a sale with its figures and its row of Detail. */
export const detailedSale = (stored: SettledSale, found: ReconciledSale | undefined): DetailedSale => {
  const sale = withFigures(stored, found);
  return { ...sale, row: detailRowOf(sale.sale, postingOf(sale.sale), sale.reconciled) };
};

const withFigures = (stored: SettledSale, found: ReconciledSale | undefined): FoundSale => {
  const { sale, filed } = stored;
  const known = filed?.figures ? (JSON.parse(filed.figures) as ReconciledSale) : filed ? undefined : found;
  return { ...stored, reconciled: postingOf(sale) === 'posted' ? known : undefined };
};
