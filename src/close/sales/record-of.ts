import type { TaxResult } from '../../contract/tax-result.ts';
import type { Order, TransactionLine } from '../../contract/transaction.ts';
import { DESCRIPTION_LENGTH_MAX } from '../../contract/transaction.ts';
import { type Money, negate } from '../../kernel/money.ts';
import { price, priceOfMoney } from '../../kernel/price.ts';
import { addressFields } from './address-fields.ts';
import type { Place, Sale } from './sale.ts';
import { lineTaxesOf, recordedExemption } from './transaction-of.ts';

/** What a service shows of a sale that keeps every field of `transactionOf` as it was sent. */
export const recordOf = (
  sale: Sale,
  provider: string,
  shipFrom: Place,
  expectation: TaxResult | undefined,
): Omit<Order, 'user_id'> => {
  const isRefund = sale.kind === 'refund';
  const signed = (amount: Money) => priceOfMoney(isRefund ? negate(amount) : amount);
  const lineTaxes = lineTaxesOf(sale, expectation);
  return {
    transaction_id: sale.id,
    transaction_date: sale.instant,
    transaction_reference_id: isRefund ? (sale.reference ?? '') : null,
    provider,
    exemption_type: sale.exemptionType && recordedExemption(sale, sale.exemptionType),
    customer_id: sale.customerId,
    ...addressFields(shipFrom, sale.shipTo),
    amount: signed(sale.amount),
    shipping: signed(sale.shipping),
    sales_tax: signed(sale.salesTax),
    line_items: sale.lines.map(
      (line, index): TransactionLine => ({
        id: line.id,
        quantity: line.quantity,
        product_identifier: line.sku,
        description: line.description.slice(0, DESCRIPTION_LENGTH_MAX),
        product_tax_code: line.taxCode,
        unit_price: isRefund ? price(-line.unitPrice) : line.unitPrice,
        discount: line.discount,
        sales_tax: signed(lineTaxes[index] ?? sale.salesTax),
      }),
    ),
  };
};
