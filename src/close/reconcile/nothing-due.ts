import type { Sale } from '../sales/sale.ts';

/** Why nothing is due from the seller whatever is calculated; `undefined` where the service has to be asked. */
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
