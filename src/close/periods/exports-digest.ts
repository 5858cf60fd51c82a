import { digestOf } from '../../kernel/digest.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import { feesWithin } from '../sales/state-fees.ts';

/**
 * Digest of what a source states of a sale, as far as a return depends on it. It leaves out what the configuration adds
 * (product categories, the business date in the seller's zone), so that a new configuration does not make late items.
 * It also leaves out what was refunded since: a refund is a record of its own.
 */
export const exportsDigest = (sale: Sale): string => digestOf(statedOf(sale));

/** The same statements as an object. A fee of the state is among the tax, as the source has it. */
export const statedOf = (given: Sale) => {
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
    lines: sale.lines.map(({ sku, quantity, unitPrice, discount }) => ({
      sku,
      quantity,
      unitPrice,
      discount,
    })),
  };
};

/** The digest of a record that is not a sale any more. */
export const NOTHING_STATED = '';
