import { formatInstant } from '../kernel/calendar.ts';
import { formatPrice, type Price } from '../kernel/price.ts';
import { formatStoredAmount } from './scalars.ts';
import {
  type CreateRefund,
  type CreateRefundInput,
  type DeletedTransaction,
  Order,
  type UpdateRefund,
  type UpdateRefundInput,
} from './transaction.ts';

/** A recorded transaction as the service writes it: money as text, its moment with milliseconds and `Z`. */
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

/** Every field of a transaction, with nothing in it. */
const NOTHING: object = {
  ...Object.fromEntries(Object.keys(Order.shape).map((field) => [field, null])),
  line_items: [],
};

/** What a delete answers: the identifiers, and every other field empty. */
export const wireDeleted = (deleted: DeletedTransaction): object => ({ ...NOTHING, ...deleted });

/** What is sent of a transaction, money and its moment as text. What is absent stays absent. */
export function wireSent(transaction: CreateRefund): CreateRefundInput;
export function wireSent(changes: UpdateRefund): UpdateRefundInput;
export function wireSent(sent: UpdateRefund): UpdateRefundInput {
  return {
    ...sent,
    transaction_date: sent.transaction_date === undefined ? undefined : formatInstant(sent.transaction_date),
    amount: amountText(sent.amount),
    shipping: amountText(sent.shipping),
    sales_tax: amountText(sent.sales_tax),
    line_items: sent.line_items?.map((line) => ({
      ...line,
      unit_price: amountText(line.unit_price),
      discount: amountText(line.discount),
      sales_tax: amountText(line.sales_tax),
    })),
  };
}

const amountText = (amount: Price | undefined): string | undefined =>
  amount === undefined ? undefined : formatPrice(amount);
