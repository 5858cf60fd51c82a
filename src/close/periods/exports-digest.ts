import { postingOf, type RefundedPart, type Sale, type SaleLine } from '../sales/sale.ts';
import { feesWithin } from '../sales/state-fees.ts';

/** The same statements as an object. A fee of the state is among the tax, as the source has it. */
const statedOf = (given: Sale) => {
  const sale = feesWithin(given);
  return {
    kind: sale.kind,
    reference: sale.reference,
    instant: sale.instant,
    shipTo: sale.shipTo,
    currency: sale.currency,
    amount: sale.amount,
    shipping: sale.shipping,
    salesTax: sale.salesTax,
    marketplaceTax: sale.marketplaceTax,
    exemptionType: sale.exemptionType,
    posting: postingOf(sale),
    lines: sale.lines.map(statedLine),
  };
};

const statedLine = ({ sku, quantity, unitPrice, discount }: SaleLine) => ({
  sku,
  quantity,
  unitPrice,
  discount,
});

/**
 * What a month that is closed depends on: the same, and what a refund takes from its order, which may be read later than
 * the refund. It decides the tax of the refund, and the refund itself does not state it.
 */
export const statedInMonth = (sale: Sale) => ({
  ...statedOf(sale),
  ...(sale.kind === 'refund' && { taxDate: sale.taxDate, partOf: statedPart(sale.partOf) }),
});

const statedPart = (part: RefundedPart | undefined) =>
  part && {
    ...{ amount: part.amount, shipping: part.shipping, salesTax: part.salesTax },
    ...{ positions: part.positions, before: part.before },
    lines: part.lines.map(statedLine),
  };
