import type { Order, TransactionKind, TransactionLine } from '../../contract/transaction.ts';
import { instant } from '../../kernel/calendar.ts';
import { price } from '../../kernel/price.ts';
import type { TransactionRow } from './tables.ts';

/**
 * A recorded transaction is kept in the words of the wire, so that nothing is translated twice: its row has a column
 * for each field, and its lines are one JSON text with amounts as integers.
 */
export const rowOf = (kind: TransactionKind, transaction: Order): Omit<TransactionRow, 'revision'> => {
  const { user_id, line_items, ...fields } = transaction;
  return { account_id: user_id, kind, ...fields, line_items: JSON.stringify(line_items) };
};

/** The fields stand in the order in which the interface lists them, as they do when a record is made. */
export const transactionOf = (row: TransactionRow): Order => ({
  transaction_id: row.transaction_id,
  user_id: row.account_id,
  transaction_date: instant(row.transaction_date),
  transaction_reference_id: row.transaction_reference_id,
  provider: row.provider,
  exemption_type: row.exemption_type,
  customer_id: row.customer_id,
  from_country: row.from_country,
  from_zip: row.from_zip,
  from_state: row.from_state,
  from_city: row.from_city,
  from_street: row.from_street,
  to_country: row.to_country,
  to_zip: row.to_zip,
  to_state: row.to_state,
  to_city: row.to_city,
  to_street: row.to_street,
  amount: price(row.amount),
  shipping: price(row.shipping),
  sales_tax: price(row.sales_tax),
  line_items: JSON.parse(row.line_items) as TransactionLine[],
});
