import type { TaxResult } from '../../contract/tax-result.ts';
import { ZERO } from '../../kernel/money.ts';
import { ZERO_RATE } from '../../kernel/rate.ts';
import type { Sale } from '../sales/sale.ts';

/** Why nothing is due from the seller regardless of any calculation; `undefined` if the service must calculate. */
export const nothingDueOf = (
  sale: Pick<Sale, 'exemptionType' | 'shipTo' | 'taxDate'>,
  registrations: readonly { readonly state: string; readonly since: string }[],
): 'no registration' | 'marketplace' | undefined => {
  if (sale.exemptionType === 'marketplace') return 'marketplace';
  const isRegistered = registrations.some(
    ({ state, since }) => state === sale.shipTo.state && since <= sale.taxDate,
  );
  return isRegistered ? undefined : 'no registration';
};

/** The answer when nothing is due from the seller. */
export const NOTHING_DUE: TaxResult = {
  amount_to_collect: ZERO,
  taxable_amount: ZERO,
  rate: ZERO_RATE,
  has_nexus: false,
  freight_taxable: false,
  tax_source: null,
};
