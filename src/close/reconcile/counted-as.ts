import { isReversalId } from '../sales/correction-id.ts';
import type { DetailRow } from './detail-row.ts';

/**
 * Returns the kind of record that a row adds to counts and to figures of one kind, and with which sign: a reversal is
 * not a return of goods but takes one filed record of the other kind back.
 */
export const countedAs = ({ id, kind }: Pick<DetailRow, 'id' | 'kind'>): CountedAs =>
  isReversalId(id) ? { kind: kind === 'order' ? 'refund' : 'order', sign: -1 } : { kind, sign: 1 };

export type CountedAs = { readonly kind: DetailRow['kind']; readonly sign: 1 | -1 };
