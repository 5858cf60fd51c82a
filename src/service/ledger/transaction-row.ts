import type { Order, TransactionLine } from '../../contract/transaction.ts';
import { instant } from '../../kernel/calendar.ts';
import { price } from '../../kernel/price.ts';
import type { TransactionKind, TransactionRow } from './tables.ts';

/**
 * A recorded transaction is kept in the words of the wire, so that nothing is translated twice: its row has a column
 * for each field, and its lines are one JSON text with amounts as integers.
 */
export const rowOf = (kind: TransactionKind, transaction: Order): Omit<TransactionRow, 'revision'> => {
  const { user_id, line_items, ...fields } = transaction;
  return { account_id: user_id, kind, ...fields, line_items: JSON.stringify(line_items) };
};

export const transactionOf = (row: TransactionRow): Order => {
  const { account_id, kind: _kind, revision: _revision, ...fields } = row;
  return {
    ...fields,
    user_id: account_id,
    transaction_date: instant(row.transaction_date),
    amount: price(row.amount),
    shipping: price(row.shipping),
    sales_tax: price(row.sales_tax),
    line_items: JSON.parse(row.line_items) as TransactionLine[],
  };
};
