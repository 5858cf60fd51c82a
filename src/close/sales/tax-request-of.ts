import type { TaxRequestInput } from '../../contract/tax-request.ts';
import { formatMoney, subtract } from '../../kernel/money.ts';
import { formatPrice } from '../../kernel/price.ts';
import type { Place, Sale } from './sale.ts';

/**
 * The calculation request of a sale: what its tax should have been, under the law of its day. A refund asks the
 * question of its order, so the two are one request.
 */
export const taxRequestOf = (sale: Sale, shipFrom: Place): TaxRequestInput => ({
  from_country: shipFrom.country,
  from_zip: shipFrom.zip,
  from_state: shipFrom.state,
  from_city: shipFrom.city,
  from_street: shipFrom.street,
  to_country: sale.shipTo.country,
  to_zip: sale.shipTo.zip,
  to_state: sale.shipTo.state,
  to_city: sale.shipTo.city,
  to_street: sale.shipTo.street,
  shipping: formatMoney(sale.shipping),
  ...(sale.exemptionType && { exemption_type: sale.exemptionType }),
  ...(sale.customerId !== null && { customer_id: sale.customerId }),
  ...(sale.lines.length === 0 && { amount: formatMoney(subtract(sale.amount, sale.shipping)) }),
  line_items: sale.lines.map((line) => ({
    id: line.id,
    quantity: line.quantity,
    unit_price: formatPrice(line.unitPrice),
    discount: formatPrice(line.discount),
    ...(line.taxCode !== null && { product_tax_code: line.taxCode }),
  })),
  calculation_date: sale.taxDate,
});
