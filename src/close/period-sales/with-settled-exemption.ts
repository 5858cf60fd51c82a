import { applyExemptionType } from '../certificates/apply-exemption-type.ts';
import { type Exemption, exemptionOf } from '../certificates/exemption-of.ts';
import type { Register } from '../certificates/register.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import type { StoredSale } from '../workspace/sale-page.ts';

/** A sale as it stands in the workspace, with what the register says of its exemption. */
export type SettledSale = StoredSale & {
  /** `undefined` where it was decided when the sale was filed. */
  readonly exemption: Exemption | undefined;
};

/**
 * Decide about the exemption of a sale by the register: its exemption type is what is calculated with and recorded.
 * What is filed, or takes back what is filed, stands as it was filed, whatever the register says now.
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
