import { applyExemptionType } from '../certificates/apply-exemption-type.ts';
import { type Exemption, exemptionOf } from '../certificates/exemption-of.ts';
import type { Register } from '../certificates/register.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import type { StoredSale } from '../workspace/sale-page.ts';

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
