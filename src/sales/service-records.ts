import type { ExemptionType } from '../contract/scalars.ts';
import type { TaxRequestInput } from '../contract/tax-request.ts';
import type { TaxResult } from '../contract/tax-result.ts';
import { type CreateTransaction, DESCRIPTION_LENGTH_MAX } from '../contract/transaction.ts';
import { sha256 } from '../kernel/json.ts';
import {
  allocate,
  formatMoney,
  formatPrice,
  type Money,
  type Price,
  price,
  priceOfMoney,
  subtract,
  ZERO,
} from '../kernel/money.ts';
import { netOf } from './read-lines.ts';
import type { Place, Sale, SaleLine } from './sale.ts';

/**
 * Build the record of a sale for the tax service. Refunds have negative amounts and name their order; discounts stay
 * positive, as the interface requires. Blank texts are omitted.
 */
export const transactionOf = (
  sale: Sale,
  provider: string,
  shipFrom: Place,
  expectation: TaxResult | undefined,
): CreateTransaction => {
  const { shipTo } = sale;
  const isRefund = sale.kind === 'refund';
  const signed = (amount: Price) => price(isRefund ? -amount : amount);
  const signedMoney = (amount: Money) => signed(priceOfMoney(amount));
  const lineTaxes = lineTaxesOf(sale, expectation);
  return {
    transaction_id: sale.id,
    transaction_date: sale.instant,
    provider,
    transaction_reference_id: isRefund ? textOf(sale.reference) : undefined,
    from_country: textOf(shipFrom.country),
    from_zip: textOf(shipFrom.zip),
    from_state: textOf(shipFrom.state),
    from_city: textOf(shipFrom.city),
    from_street: textOf(shipFrom.street),
    to_country: shipTo.country,
    to_zip: shipTo.zip,
    to_state: shipTo.state,
    to_city: textOf(shipTo.city),
    to_street: textOf(shipTo.street),
    amount: signedMoney(sale.amount),
    shipping: signedMoney(sale.shipping),
    sales_tax: signedMoney(sale.salesTax),
    customer_id: textOf(sale.customerId),
    exemption_type: sale.exemptionType ? recordedExemption(sale, sale.exemptionType) : undefined,
    line_items: sale.lines.map((line, index) => ({
      id: textOf(line.id),
      quantity: line.quantity,
      product_identifier: textOf(line.sku),
      description: textOf(line.description.slice(0, DESCRIPTION_LENGTH_MAX)),
      product_tax_code: textOf(line.taxCode),
      unit_price: signed(line.unitPrice),
      discount: line.discount,
      sales_tax: signedMoney(lineTaxes[index] ?? sale.salesTax),
    })),
  };
};

const textOf = (text: string | null): string | undefined => text?.trim() || undefined;

/**
 * The exemption type to record. The service refuses tax on an exempt sale. Tax charged anyway is owed until it is
 * refunded, so such a sale is recorded as the shop treated it: as taxable.
 */
const recordedExemption = ({ salesTax }: Pick<Sale, 'salesTax'>, type: ExemptionType): ExemptionType =>
  salesTax === ZERO || type === 'marketplace' ? type : 'non_exempt';

/**
 * Allocate the collected tax to lines, since the export has it only for the whole order: in proportion to the expected
 * tax of each line and of shipping, or to the net amounts of the lines if no tax was expected.
 */
const lineTaxesOf = (
  sale: Pick<Sale, 'lines' | 'salesTax'>,
  expectation: TaxResult | undefined,
): readonly Money[] => {
  if (sale.lines.length === 0) return [];
  const lines = expectation?.breakdown?.line_items ?? [];
  const shipping = expectation?.breakdown?.shipping?.tax_collectable ?? 0;
  const expected = sale.lines.map((_, index) => lines[index]?.tax_collectable ?? 0);
  // A line below nothing has a tax below nothing, and takes no part of the tax.
  const weights = [...expected, shipping].map((weight) => Math.max(0, weight));
  const isUsable = weights.some((weight) => weight > 0);
  return allocate(sale.salesTax, isUsable ? weights : sale.lines.map((line) => Math.max(0, netOf(line))));
};

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

/**
 * Returns the digest that identifies a calculation: of the service and the request, as canonical JSON. A request is built
 * with its keys in sorted order, since sorting each time takes twice as long.
 */
export const requestDigest = (service: string, request: SaleRequest): string =>
  sha256(`{"request":${JSON.stringify(request)},"service":${JSON.stringify(service)}}`);
