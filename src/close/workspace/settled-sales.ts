import type { Exemption } from '../certificates/exemption-of.ts';
import type { Register } from '../certificates/register.ts';
import { settleExemption } from '../certificates/settle-exemption.ts';
import type { ReconciledSale } from '../reconcile/reconciled-sale.ts';
import type { StoredSale } from './sales-of.ts';

/** A sale whose exemption is decided: its exemption type is what is calculated with and recorded. */
export type SettledSale = StoredSale & { readonly exemption: Exemption | undefined };

/**
 * Pages of sales with their exemption decided by the register. What is filed, or takes back what is filed, stands as
 * it was filed, whatever the register says now.
 */
export async function* settled(
  pages: AsyncIterable<readonly StoredSale[]>,
  register: Register | undefined,
): AsyncGenerator<readonly SettledSale[]> {
  for await (const page of pages) {
    yield page.map((stored): SettledSale => {
      const figures = stored.filed ? stored.filed.figures : (stored.late?.takesBack ?? undefined);
      return figures === undefined ? settleExemption(stored, register) : asFiled(stored, figures);
    });
  }
}

const asFiled = (stored: StoredSale, figures: string | null): SettledSale => {
  const { exemption } = figures === null ? {} : (JSON.parse(figures) as Partial<ReconciledSale>);
  const sale = exemption ? { ...stored.sale, exemptionType: exemption.type } : stored.sale;
  return { ...stored, sale, exemption: undefined };
};
