import { type DetailRow, detailRowOf } from '../reconcile/detail-row.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import { postingOf } from '../sales/sale.ts';
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
