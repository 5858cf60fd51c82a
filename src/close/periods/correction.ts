import type { Sale } from '../sales/sale.ts';
import type { LateItem } from './late-item.ts';

/** A record that puts right what was filed. */
export type Correction = {
  readonly sale: Sale;
  /** Of a reversal: the figures of what it takes back, as JSON. */
  readonly takesBack: string | null;
};

/**
 * The records that put right what was filed of a late item. What was never filed goes in as it is. What was filed is
 * taken back whole, with the figures it was filed with, and the newest content goes in beside it: so gross, taxable,
 * collected and expected come out exactly as if it had been known in time, whatever of the record has changed.
 *
 * @param number counts the corrections of this record, from 1
 */
export const correctionsOf = ({ sale, filed }: LateItem, number: number): readonly Correction[] => {
  if (!filed && number === 1) return sale ? [{ sale, takesBack: null }] : [];
  return [
    ...(filed ? [{ sale: reversalOf(filed.sale, sale, number), takesBack: filed.figures }] : []),
    ...(sale ? [{ sale: named(sale, `${sale.id}-late-${number}`), takesBack: null }] : []),
  ];
};

/** A refund takes an order back, and an order a refund. It lies on the day of what it takes back. */
const reversalOf = (filed: Sale, now: Sale | undefined, number: number): Sale => {
  const isOrder = filed.kind === 'order';
  const original = filed.id.replace(/-late-\d+$/, '');
  const reversed: Sale = {
    ...filed,
    kind: isOrder ? 'refund' : 'order',
    reference: isOrder ? filed.id : null,
    remarks: [],
    origin: now?.origin ?? filed.origin,
    rows: 0,
  };
  return named(reversed, `${original}-late-${number}-reversal`);
};

const named = (sale: Sale, id: string): Sale => ({ ...sale, id, key: `${sale.channel}/${sale.kind}/${id}` });
