import { digestOf } from '../../kernel/digest.ts';
import type { Sale } from '../sales/sale.ts';
import { type Exemption, exemptionOf } from './exemption-of.ts';
import type { Register } from './register.ts';

/** A sale with the digest of its content. */
type Digested = { readonly sale: Sale; readonly digest: string };

/**
 * A sale as the register leaves it: its exemption type is what is calculated with and recorded. The digest changes
 * with that type and with nothing else of the register, so that a changed register moves exactly the sales it touches.
 */
export const settleExemption = <Stored extends Digested>(
  stored: Stored,
  register: Register | undefined,
): Stored & { readonly exemption: Exemption } => {
  const exemption = exemptionOf(stored.sale, register);
  const { type } = exemption;
  if (type === stored.sale.exemptionType) return { ...stored, exemption };
  return {
    ...stored,
    sale: { ...stored.sale, exemptionType: type },
    digest: digestOf({ sale: stored.digest, exemption: type }),
    exemption,
  };
};

/** The sale as if it were not exempt: what it is asked again as, to tell the tax that its exemption relieves. */
export const withoutExemption = (sale: Sale): Sale => ({ ...sale, exemptionType: 'non_exempt' });
