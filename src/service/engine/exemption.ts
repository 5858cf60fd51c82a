import type { ExemptionType } from '../../contract/scalars.ts';
import type { FullAddress } from './address.ts';
import type { Customer } from './seller.ts';

/** Whether an order is exempt as a whole, and the exemption type that the result names. */
export type Exemption = { readonly isExempt: boolean; readonly type: ExemptionType | undefined };

const EXEMPTING: ReadonlySet<string> = new Set(['wholesale', 'government', 'other']);

const appliesAt = (customer: Customer, to: FullAddress): boolean =>
  customer.exemptRegions.length === 0 ||
  customer.exemptRegions.some(
    (region) => region.country.toUpperCase() === to.country && region.state.toUpperCase() === to.state,
  );

/**
 * `marketplace` and `non_exempt` on the order tax it even for an exempt customer. Otherwise a customer whose
 * exemption holds at the destination stands before the order's own type, and either of them exempts.
 */
export const exemptionOf = (
  ordered: ExemptionType | undefined,
  customer: Customer | undefined,
  to: FullAddress,
): Exemption => {
  if (ordered === 'marketplace' || ordered === 'non_exempt') return { isExempt: false, type: ordered };
  const applies = customer !== undefined && appliesAt(customer, to);
  if (applies && EXEMPTING.has(customer.exemptionType))
    return { isExempt: true, type: customer.exemptionType };
  if (ordered !== undefined) return { isExempt: true, type: ordered };
  return { isExempt: false, type: applies ? customer.exemptionType : undefined };
};
