import type { TaxRequestInput } from '../../contract/tax-request.ts';
import { formatMoney, subtract } from '../../kernel/money.ts';
import { formatPrice } from '../../kernel/price.ts';
import { addressFields } from './address-fields.ts';
import type { Place, Sale } from './sale.ts';

/**
 * The calculation request of a sale: what its tax should have been, under the law of its day. A refund asks the
 * question of its order, so the two are one request.
 */
export const taxRequestOf = (sale: Sale, shipFrom: Place): TaxRequestInput => ({
  ...addressFields(shipFrom, sale.shipTo),
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
