import { digestOf } from '../../kernel/digest.ts';
import type { Sale } from '../sales/sale.ts';

/** A sale with the digest of its content. */
type Digested = { readonly sale: Sale; readonly digest: string };

/**
 * A sale with its exemption decided: the type is what is calculated with and recorded. The digest changes with that
 * type and with nothing else of a register, so that a changed register moves exactly the sales it touches.
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

/** The sale as if it were not exempt: what it is asked again as, to tell the tax that its exemption relieves. */
export const withoutExemption = (sale: Sale): Sale => ({ ...sale, exemptionType: 'non_exempt' });
