import { formatInstant } from '../kernel/calendar.ts';
import { formatPrice, type Price } from '../kernel/money.ts';
import { formatStoredAmount } from './scalars.ts';
import {
  type CreateRefund,
  type CreateRefundInput,
  type DeletedTransaction,
  Order,
  type UpdateRefund,
  type UpdateRefundInput,
} from './transaction.ts';

/** Convert a recorded transaction to its wire form: money as text, its time with milliseconds and `Z`. */
export const wireTransaction = (transaction: Order): object => ({
  ...transaction,
  transaction_date: formatInstant(transaction.transaction_date),
  amount: formatStoredAmount(transaction.amount),
  shipping: formatStoredAmount(transaction.shipping),
  sales_tax: formatStoredAmount(transaction.sales_tax),
  line_items: transaction.line_items.map((line) => ({
    ...line,
    unit_price: formatStoredAmount(line.unit_price),
    discount: formatStoredAmount(line.discount),
    sales_tax: formatStoredAmount(line.sales_tax),
  })),
});

/** Every field of a transaction, empty. */
const NOTHING: object = {
  ...Object.fromEntries(Object.keys(Order.shape).map((field) => [field, null])),
  line_items: [],
};

/** Convert the answer to a delete to its wire form: the identifiers, and every other field empty. */
export const wireDeleted = (deleted: DeletedTransaction): object => ({ ...NOTHING, ...deleted });

/**
 * Convert a transaction to the form in which it is sent: money and time as text, absent fields absent. Its keys are in
 * sorted order, so that writing it gives canonical JSON: sorting them for each transaction takes twice the time.
 */
export function wireSent(transaction: CreateRefund): CreateRefundInput;
export function wireSent(changes: UpdateRefund): UpdateRefundInput;
export function wireSent(
  sent: UpdateRefund & { readonly transaction_id?: string },
): CreateRefundInput | UpdateRefundInput {
  return {
    amount: amountText(sent.amount),
    customer_id: sent.customer_id,
    exemption_type: sent.exemption_type,
    from_city: sent.from_city,
    from_country: sent.from_country,
    from_state: sent.from_state,
    from_street: sent.from_street,
    from_zip: sent.from_zip,
    line_items: sent.line_items?.map(wireLine),
    provider: sent.provider,
    sales_tax: amountText(sent.sales_tax),
    shipping: amountText(sent.shipping),
    to_city: sent.to_city,
    to_country: sent.to_country,
    to_state: sent.to_state,
    to_street: sent.to_street,
    to_zip: sent.to_zip,
    transaction_date: sent.transaction_date === undefined ? undefined : formatInstant(sent.transaction_date),
    transaction_id: sent.transaction_id,
    transaction_reference_id: sent.transaction_reference_id,
  } satisfies Record<keyof CreateRefund, unknown>;
}

type Line = NonNullable<UpdateRefund['line_items']>[number];

const wireLine = (line: Line) =>
  ({
    description: line.description,
    discount: amountText(line.discount),
    id: line.id,
    product_identifier: line.product_identifier,
    product_tax_code: line.product_tax_code,
    quantity: line.quantity,
    sales_tax: amountText(line.sales_tax),
    unit_price: amountText(line.unit_price),
  }) satisfies Record<keyof Line, unknown>;

const amountText = (amount: Price | undefined): string | undefined =>
  amount === undefined ? undefined : formatPrice(amount);
