import type { TaxRequestInput } from '../../contract/tax-request.ts';
import { formatMoney, subtract } from '../../kernel/money.ts';
import { formatPrice } from '../../kernel/price.ts';
import type { Place, Sale, SaleLine } from './sale.ts';

/** The id of the line that stands for all goods where the export has no lines. */
const GOODS_LINE = '1';

/**
 * The calculation request of a sale: what its tax should have been, under the law of its day. A refund asks the
 * question of its order, so the two are one request. Goods without lines are asked about as one line, because only an
 * answer about lines says which level levies what.
 */
export const taxRequestOf = (sale: Sale, shipFrom: Place): TaxRequestInput => ({
  ...addressFields(shipFrom, sale.shipTo),
  shipping: formatMoney(sale.shipping),
  ...(sale.exemptionType && { exemption_type: sale.exemptionType }),
  ...(sale.customerId !== null && { customer_id: sale.customerId }),
  line_items:
    sale.lines.length === 0
      ? [{ id: GOODS_LINE, quantity: 1, unit_price: formatMoney(subtract(sale.amount, sale.shipping)) }]
      : sale.lines.map(lineOf),
  calculation_date: sale.taxDate,
});

/** The ids of the lines of that request. */
export const requestLineIds = ({ lines }: Sale): readonly string[] =>
  lines.length === 0 ? [GOODS_LINE] : lines.map(({ id }) => id);

const lineOf = (line: SaleLine) => ({
  id: line.id,
  quantity: line.quantity,
  unit_price: formatPrice(line.unitPrice),
  discount: formatPrice(line.discount),
  ...(line.taxCode !== null && { product_tax_code: line.taxCode }),
});

/** Ship-from and ship-to as the fields of the wire: the same in a calculation request and in a transaction. */
export const addressFields = (from: Place, to: Place) => ({
  from_country: from.country,
  from_zip: from.zip,
  from_state: from.state,
  from_city: from.city,
  from_street: from.street,
  to_country: to.country,
  to_zip: to.zip,
  to_state: to.state,
  to_city: to.city,
  to_street: to.street,
});
