import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import type { SettledSale } from './with-settled-exemption.ts';

/** A sale with its figures, those of a filed one as they were filed; `undefined` when there are none. */
export type FoundSale = SettledSale & { readonly reconciled: ReconciledSale | undefined };
