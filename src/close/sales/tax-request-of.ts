import type { TaxRequestInput } from '../../contract/tax-request.ts';
import { formatMoney, subtract } from '../../kernel/money.ts';
import { formatPrice } from '../../kernel/price.ts';
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
    shipping: formatMoney(shipping),
    ...(sale.exemptionType && { exemption_type: sale.exemptionType }),
    ...(sale.customerId !== null && { customer_id: sale.customerId }),
    line_items:
      lines.length === 0
        ? [{ id: GOODS_LINE, quantity: 1, unit_price: formatMoney(subtract(amount, shipping)) }]
        : lines.map(lineOf),
    calculation_date: sale.taxDate,
  };
};

/** The line ids of the answer to that request. */
export const answerLineIds = ({ lines }: Pick<Sale, 'lines'>): readonly string[] =>
  lines.length === 0 ? [GOODS_LINE] : lines.map(({ id }) => id);

const lineOf = (line: SaleLine): RequestLine => ({
  id: line.id,
  quantity: line.quantity,
  unit_price: formatPrice(line.unitPrice),
  discount: formatPrice(line.discount),
  ...(line.taxCode !== null && { product_tax_code: line.taxCode }),
});

/** The request as canonical JSON. Keys are written in sorted order, since sorting each time takes twice as long. */
export const requestText = (request: SaleRequest): string =>
  JSON.stringify({
    calculation_date: request.calculation_date,
    customer_id: request.customer_id,
    exemption_type: request.exemption_type,
    from_city: request.from_city,
    from_country: request.from_country,
    from_state: request.from_state,
    from_street: request.from_street,
    from_zip: request.from_zip,
    line_items: request.line_items.map(
      ({ discount, id, product_tax_code, quantity, unit_price }): Named<RequestLine> => ({
        discount,
        id,
        product_tax_code,
        quantity,
        unit_price,
      }),
    ),
    shipping: request.shipping,
    to_city: request.to_city,
    to_country: request.to_country,
    to_state: request.to_state,
    to_street: request.to_street,
    to_zip: request.to_zip,
  } satisfies Named<SaleRequest>);

/** Requires every field, so that none is forgotten. */
type Named<Fields> = Record<keyof Fields, unknown>;
