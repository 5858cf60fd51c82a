import { formatInstant } from '../kernel/calendar.ts';
import { formatStoredAmount } from './scalars.ts';
import { type DeletedTransaction, Order } from './transaction.ts';

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
