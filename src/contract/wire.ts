import { formatInstant } from '../kernel/calendar.ts';
import { shortText } from '../kernel/decimal.ts';
import { CENTS_PER_DOLLAR, PRICE_PLACES, type Price, RATE_ONE, RATE_PLACES } from '../kernel/money.ts';
import type { TaxResult } from './tax-result.ts';
import type { LocationRate } from './tax-service.ts';
import {
  type CreateTransaction,
  type DeletedTransaction,
  type Order,
  orderedRecord,
  type UpdateTransaction,
  type UpdateTransactionInput,
} from './transaction.ts';

/** Write money of a stored transaction as the live service does: `110.0`, `9.77`, `-40.0` or `0.1234`. */
const storedAmount = (value: Price): string => shortText(value, PRICE_PLACES, 1);

/** Convert a recorded transaction to its wire form: money as text, its time with milliseconds and `Z`. */
export const wireTransaction = (transaction: Order): object => ({
  ...transaction,
  transaction_date: formatInstant(transaction.transaction_date),
  amount: storedAmount(transaction.amount),
  shipping: storedAmount(transaction.shipping),
  sales_tax: storedAmount(transaction.sales_tax),
  line_items: transaction.line_items.map((line) => ({
    ...line,
    unit_price: storedAmount(line.unit_price),
    discount: storedAmount(line.discount),
    sales_tax: storedAmount(line.sales_tax),
  })),
});

/** Convert the answer to a delete to its wire form: the identifiers, and every other field empty. */
export const wireDeleted = (deleted: DeletedTransaction): object =>
  orderedRecord({ ...deleted, line_items: [] });

/**
 * Convert a transaction to the form in which it is sent: money and time as text, absent fields absent. Its keys are in
 * sorted order, so that writing it gives canonical JSON: sorting them for each transaction takes twice the time.
 */
export const wireSent = (
  sent: UpdateTransaction & { readonly transaction_id?: string },
): UpdateTransactionInput & { readonly transaction_id?: string | undefined } =>
  ({
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
  }) satisfies Record<keyof CreateTransaction, unknown>;

type Line = NonNullable<UpdateTransaction['line_items']>[number];

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
  amount === undefined ? undefined : shortText(amount, PRICE_PLACES, 2);

type Plain = { readonly [field: string]: unknown };

/** Convert a result to its wire form: JSON numbers, dollars for amounts and fractions for rates. */
export const wireTax = ({ explanation, ...result }: TaxResult): object => ({
  ...(wired(result) as object),
  ...(explanation && { explanation }),
});

const wired = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(wired);
  if (value === null || typeof value !== 'object') return value;
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value as Plain)) {
    fields[name] = typeof field === 'number' ? numberOf(name, field) : wired(field);
  }
  return fields;
};

/** All numbers of a result are amounts, except those whose names end in `rate`. */
const numberOf = (name: string, value: number): number =>
  value / (name.endsWith('rate') ? RATE_ONE : CENTS_PER_DOLLAR);

/** Convert the rates of a place to their wire form: all numbers are rates, and are written as text such as `0.0625` or `0.0`. */
export const wireLocationRate = (rate: LocationRate): object =>
  Object.fromEntries(
    Object.entries(rate).map(([name, value]) => [
      name,
      typeof value === 'number' ? shortText(value, RATE_PLACES, 1) : value,
    ]),
  );

/** Convert a recorded transaction to one from which it could have been made. */
export const draftOf = ({ user_id: _account, line_items: lines, ...recorded }: Order): CreateTransaction => ({
  ...withoutNulls(recorded),
  line_items: lines.map(withoutNulls),
});

/** Returns the fields that have a value. */
export const withoutNulls = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof Fields]: NonNullable<Fields[Name]>;
  };
