import { refundedPartsOf, utcDateOfOrder } from '../close/sales/refunded-part.ts';
import type { Place, Sale } from '../close/sales/sale.ts';

/** Returns the refunds of an order, completed, by key. */
export const linkedTo = (refunds: readonly Sale[], order: Sale): ReadonlyMap<string, Sale> => {
  const own = refunds.map((refund) => withOrder(refund, order));
  const parts = refundedPartsOf(own, order);
  return new Map(
    own.map((refund, index) => {
      const partOf = parts[index];
      return [refund.key, { ...refund, ...(partOf && { partOf }) }];
    }),
  );
};

const withOrder = (refund: Sale, order: Sale): Sale => {
  const { partOf: _, orderUtcDate: __, ...own } = refund;
  return {
    ...own,
    // If a source states the tax date separately from the day of the refund, that date takes precedence.
    taxDate: refund.taxDate === refund.businessDate ? order.taxDate : refund.taxDate,
    shipTo: isNowhere(refund.shipTo) ? order.shipTo : refund.shipTo,
    customerId: order.customerId ?? refund.customerId,
    exemptionType: exemptionOfRefund(refund, order),
    ...utcDateOfOrder(order),
  };
};

/**
 * A refund takes the exemption of its order, whatever its own row says. If either is a marketplace sale, it keeps its
 * own.
 */
const exemptionOfRefund = (refund: Sale, order: Sale): Sale['exemptionType'] =>
  refund.exemptionType === 'marketplace' || order.exemptionType === 'marketplace'
    ? refund.exemptionType
    : order.exemptionType;

const isNowhere = ({ state, zip, city }: Place): boolean => state === '' && zip === '' && city === '';
