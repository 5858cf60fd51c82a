import type { ExemptionType } from '../../contract/scalars.ts';
import type { TaxResult } from '../../contract/tax-result.ts';
import type { CreateOrderInput, CreateRefundInput } from '../../contract/transaction.ts';
import { DESCRIPTION_LENGTH_MAX } from '../../contract/transaction.ts';
import { allocate } from '../../kernel/allocate.ts';
import { formatInstant } from '../../kernel/calendar.ts';
import { formatMoney, type Money, negate, ZERO } from '../../kernel/money.ts';
import { formatPrice, price } from '../../kernel/price.ts';
import { netOf } from './read-lines.ts';
import type { Place, Sale } from './sale.ts';
import { addressFields } from './tax-request-of.ts';

/**
 * The body that records a sale with the tax service. Refunds carry negative amounts and name their order; discounts
 * stay positive, as the interface has it.
 */
export const transactionOf = (
  sale: Sale,
  provider: string,
  shipFrom: Place,
  expectation: TaxResult | undefined,
): CreateOrderInput | CreateRefundInput => {
  const isRefund = sale.kind === 'refund';
  const signed = (amount: Money) => formatMoney(isRefund ? negate(amount) : amount);
  const lineTaxes = lineTaxesOf(sale, expectation);
  return {
    transaction_id: sale.id,
    transaction_date: formatInstant(sale.instant),
    provider,
    ...(isRefund && { transaction_reference_id: sale.reference ?? '' }),
    ...addressFields(shipFrom, sale.shipTo),
    amount: signed(sale.amount),
    shipping: signed(sale.shipping),
    sales_tax: signed(sale.salesTax),
    ...(sale.customerId !== null && { customer_id: sale.customerId }),
    ...(sale.exemptionType && { exemption_type: recordedExemption(sale, sale.exemptionType) }),
    line_items: sale.lines.map((line, index) => ({
      id: line.id,
      quantity: line.quantity,
      product_identifier: line.sku,
      description: line.description.slice(0, DESCRIPTION_LENGTH_MAX),
      ...(line.taxCode !== null && { product_tax_code: line.taxCode }),
      unit_price: formatPrice(isRefund ? price(-line.unitPrice) : line.unitPrice),
      discount: formatPrice(line.discount),
      sales_tax: signed(lineTaxes[index] ?? sale.salesTax),
    })),
  };
};

/**
 * The service refuses tax on an exempt sale. Tax that was charged all the same is owed until it is given back, so such a
 * sale is recorded as what the shop made of it: a taxed one.
 */
const recordedExemption = ({ salesTax }: Sale, type: ExemptionType): ExemptionType =>
  salesTax === ZERO || type === 'marketplace' ? type : 'non_exempt';

/**
 * The collected tax by line, where the export only has it for the whole order: in proportion to the tax each line
 * and the shipping should have carried, or to what the lines came to when nothing should have been carried.
 */
const lineTaxesOf = (sale: Sale, expectation: TaxResult | undefined): readonly Money[] => {
  if (sale.lines.length === 0) return [];
  const lines = expectation?.breakdown?.line_items ?? [];
  const shipping = expectation?.breakdown?.shipping?.tax_collectable ?? 0;
  const expected = sale.lines.map((_, index) => lines[index]?.tax_collectable ?? 0);
  const weights = [...expected, shipping];
  const isUsable = weights.some((weight) => weight > 0);
  return allocate(sale.salesTax, isUsable ? weights : sale.lines.map((line) => Math.max(0, netOf(line))));
};
