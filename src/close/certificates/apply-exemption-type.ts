import { digestOf } from '../../kernel/digest.ts';
import type { Sale } from '../sales/sale.ts';

/** A sale with the digest of its content. */
type Digested = { readonly sale: Sale; readonly digest: string };

/**
 * Set the exemption type that the sale is calculated and recorded with. The digest changes only when this type does, so
 * that a changed register moves exactly the sales it affects.
 */
export const applyExemptionType = <Stored extends Digested>(
  stored: Stored,
  type: Sale['exemptionType'],
): Stored =>
  type === stored.sale.exemptionType
    ? stored
    : {
        ...stored,
        sale: { ...stored.sale, exemptionType: type },
        digest: digestOf({ sale: stored.digest, exemption: type }),
      };

/** The sale as fully taxable. It is recalculated this way to find the tax that its exemption relieves. */
export const withoutExemption = (sale: Sale): Sale => ({ ...sale, exemptionType: 'non_exempt' });
