import type { SaleRow } from './tables.ts';

/** A row of the index of sales, and the text of the sale itself, which goes into the page of its day. */
export type SaleWithText = { readonly row: SaleRow; readonly text: string };
