import { digestOf } from '../../kernel/digest.ts';
import { postingOf, type Sale } from '../sales/sale.ts';

/**
 * Digest of what a source states of a sale, as far as a return depends on it. What the configuration adds to it (product
 * categories, the business date by the seller's zone) is left out: a new configuration is not a late arrival. So is what
 * was given back since: a refund is a record of its own.
 */
export const exportsDigest = (sale: Sale): string => digestOf(statedOf(sale));

/** The same as an object. */
export const statedOf = (sale: Sale) => ({
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
});

/** Of a record that is not a sale any more. */
export const NOTHING_STATED = '';
