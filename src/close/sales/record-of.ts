import type { TaxResult } from '../../contract/tax-result.ts';
import type { Order, TransactionLine } from '../../contract/transaction.ts';
import { ZERO_PRICE } from '../../kernel/price.ts';
import type { Place, Sale } from './sale.ts';
import { transactionOf } from './transaction-of.ts';

/** What a service shows of a sale that keeps every field of `transactionOf` as it was sent; what is absent is `null`. */
export const recordOf = (
  sale: Sale,
  provider: string,
  shipFrom: Place,
  expectation: TaxResult | undefined,
): Omit<Order, 'user_id'> => {
  const { line_items: lines = [], ...sent } = transactionOf(sale, provider, shipFrom, expectation);
  return {
    transaction_id: sent.transaction_id,
    transaction_date: sent.transaction_date,
    transaction_reference_id: sent.transaction_reference_id ?? null,
    provider,
    exemption_type: sent.exemption_type ?? null,
    customer_id: sent.customer_id ?? null,
    from_country: sent.from_country ?? null,
    from_zip: sent.from_zip ?? null,
    from_state: sent.from_state ?? null,
    from_city: sent.from_city ?? null,
    from_street: sent.from_street ?? null,
    to_country: sent.to_country ?? null,
    to_zip: sent.to_zip ?? null,
    to_state: sent.to_state ?? null,
    to_city: sent.to_city ?? null,
    to_street: sent.to_street ?? null,
    amount: sent.amount,
    shipping: sent.shipping,
    sales_tax: sent.sales_tax,
    line_items: lines.map(
      (line): TransactionLine => ({
        id: line.id ?? '',
        quantity: line.quantity ?? 1,
        product_identifier: line.product_identifier ?? null,
        description: line.description ?? null,
        product_tax_code: line.product_tax_code ?? null,
        unit_price: line.unit_price ?? ZERO_PRICE,
        discount: line.discount ?? ZERO_PRICE,
        sales_tax: line.sales_tax ?? ZERO_PRICE,
      }),
    ),
  };
};
