import { applyExemptionType } from '../certificates/apply-exemption-type.ts';
import { type Exemption, exemptionOf } from '../certificates/exemption-of.ts';
import type { Register } from '../certificates/register.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import type { Sale } from '../sales/sale.ts';

/** A sale, the digest of what is stated of it, and whether it is posted. */
export type StoredSale = {
  readonly sale: Sale;
  readonly digest: string;
  readonly posting: string;
  /** Only for a filed sale: its reconciled figures as JSON, `null` when it was not posted. It never changes. */
  readonly filed?: { readonly figures: string | null };
  /** Only for a sale that is late for a locked period. */
  readonly late?: LateNote;
  /** The day on which it counts, when that is not its own. */
  readonly filedOn?: string;
};

export type LateNote = {
  /** The locked period that it belongs to by its date. */
  readonly source: string;
  /** The key of the late record, which may be its own. */
  readonly corrects: string;
  /** Only for the reversal of a filed record: the figures of that record as JSON. */
  readonly reversedFigures: string | null;
  /** Whether it is filed with an amended version of that period; otherwise it is carried into a later one. */
  readonly isAmended: boolean;
};

/** A stored sale with the exemption that the register decides. */
export type SettledSale = StoredSale & {
  /** `undefined` when it was decided as the sale was filed. */
  readonly exemption: Exemption | undefined;
};

/**
 * Decide the exemption of a sale by the register; the resulting exemption type is used for calculation and recording. A
 * filed sale, or the reversal of one, keeps the exemption with which it was filed, whatever the register says now.
 */
export const withSettledExemption = (stored: StoredSale, register: Register | undefined): SettledSale => {
  const figures = stored.filed ? stored.filed.figures : (stored.late?.reversedFigures ?? undefined);
  if (figures !== undefined) return { ...asFiled(stored, figures), exemption: undefined };
  const exemption = exemptionOf(stored.sale, register);
  return { ...applyExemptionType(stored, exemption.type), exemption };
};

const asFiled = (stored: StoredSale, figures: string | null): StoredSale => {
  const { exemption } = figures === null ? {} : (JSON.parse(figures) as Partial<ReconciledSale>);
  return exemption ? applyExemptionType(stored, exemption.type) : stored;
};
