import type { TaxRequestInput } from '../../contract/tax-request.ts';
import { formatMoney, formatPrice, subtract } from '../../kernel/money.ts';
import type { Place, Sale, SaleLine } from './sale.ts';

/** The id of the single line for all goods if the export has no lines. */
const GOODS_LINE = '1';

/** The fields of a calculation request that a sale fills. */
type SaleRequest = Omit<TaxRequestInput, 'amount' | 'nexus_addresses' | 'explain' | 'line_items'> & {
  readonly line_items: readonly RequestLine[];
};
type RequestLine = NonNullable<TaxRequestInput['line_items']>[number];

/**
 * Build the calculation request of a sale: its correct tax under the law of its day. A refund is calculated like its
 * order, so both have the same request, also when the refund gives only a part of the order back. Goods without lines
 * are sent as one line, because only an answer with lines shows the tax of each level.
 */
export const taxRequestOf = (sale: Sale, shipFrom: Place): SaleRequest & TaxRequestInput => {
  const { amount, shipping, lines } = sale.partOf ?? sale;
  return {
    calculation_date: sale.taxDate,
    ...(sale.customerId !== null && { customer_id: sale.customerId }),
    ...(sale.exemptionType && { exemption_type: sale.exemptionType }),
    from_city: shipFrom.city,
    from_country: shipFrom.country,
    from_state: shipFrom.state,
    from_street: shipFrom.street,
    from_zip: shipFrom.zip,
    line_items:
      lines.length === 0
        ? [{ id: GOODS_LINE, quantity: 1, unit_price: formatMoney(subtract(amount, shipping)) }]
        : lines.map(lineOf),
    shipping: formatMoney(shipping),
    to_city: sale.shipTo.city,
    to_country: sale.shipTo.country,
    to_state: sale.shipTo.state,
    to_street: sale.shipTo.street,
    to_zip: sale.shipTo.zip,
  };
};

/** The line ids of the answer to that request. */
export const answerLineIds = ({ lines }: Pick<Sale, 'lines'>): readonly string[] =>
  lines.length === 0 ? [GOODS_LINE] : lines.map(({ id }) => id);

const lineOf = (line: SaleLine): RequestLine => ({
  discount: formatPrice(line.discount),
  id: line.id,
  ...(line.taxCode !== null && { product_tax_code: line.taxCode }),
  quantity: line.quantity,
  unit_price: formatPrice(line.unitPrice),
});

/** The request as canonical JSON. It is built with its keys in sorted order, since sorting each time takes twice as long. */
export const requestText = (request: SaleRequest): string => JSON.stringify(request);
