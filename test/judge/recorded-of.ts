import { CreateTransaction, type Order } from '../../src/contract/transaction.ts';
import { wireSent } from '../../src/contract/wire.ts';
import { type Price, price, ZERO_PRICE } from '../../src/kernel/money.ts';
import type { Sale } from '../../src/sales/sale.ts';
import { transactionOf } from '../../src/sales/service-records.ts';
import { SHIP_FROM } from '../sales/sale-of.ts';

/** The body that was sent for a sale, as the service reads it. */
export const sentOf = (sale: Sale): CreateTransaction | CreateTransaction => {
  const body = wireSent(transactionOf(sale, 'shopify', SHIP_FROM, undefined));
  return sale.kind === 'refund' ? CreateTransaction.parse(body) : CreateTransaction.parse(body);
};

/** What a service holds that recorded exactly what was sent, and writes the city of destination in capitals. */
export const recordedOf = (sale: Sale, changes: Partial<Order> = {}): Order => {
  const sent = sentOf(sale);
  const amount = (value: Price | undefined) => value ?? ZERO_PRICE;
  return {
    transaction_id: sent.transaction_id,
    user_id: 1,
    transaction_date: sent.transaction_date,
    transaction_reference_id:
      'transaction_reference_id' in sent ? (sent.transaction_reference_id ?? null) : null,
    provider: 'shopify',
    exemption_type: sent.exemption_type ?? null,
    customer_id: sent.customer_id ?? null,
    from_country: sent.from_country ?? null,
    from_zip: sent.from_zip ?? null,
    from_state: sent.from_state ?? null,
    from_city: sent.from_city ?? null,
    from_street: sent.from_street ?? null,
    to_country: sent.to_country,
    to_zip: sent.to_zip,
    to_state: sent.to_state,
    to_city: sent.to_city?.toUpperCase() ?? null,
    to_street: sent.to_street ?? null,
    amount: sent.amount,
    shipping: sent.shipping,
    sales_tax: sent.sales_tax,
    line_items: (sent.line_items ?? []).map((line, index) => ({
      id: line.id ?? String(index + 1),
      quantity: line.quantity ?? 1,
      product_identifier: line.product_identifier ?? null,
      description: line.description ?? null,
      product_tax_code: line.product_tax_code ?? null,
      unit_price: amount(line.unit_price),
      discount: price(Math.abs(amount(line.discount))),
      sales_tax: amount(line.sales_tax),
    })),
    ...changes,
  };
};
