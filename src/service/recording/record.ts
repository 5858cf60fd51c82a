import {
  type CreateRefund,
  type Order,
  PROVIDER_DEFAULT,
  type TransactionKind,
  type TransactionLine,
  type UpdateRefund,
} from '../../contract/transaction.ts';
import { type Price, price, ZERO_PRICE } from '../../kernel/money.ts';

/** The country in which a shipment starts when the caller does not name one. */
export const FROM_COUNTRY_DEFAULT = 'US';
const QUANTITY_DEFAULT = 1;

/**
 * Build the record of a draft. Whatever signs were sent, orders are positive and refunds negative; a discount is
 * positive on both. A line without an id gets its position, counted from 1.
 */
export const recordOf = (kind: TransactionKind, accountId: number, draft: Draft): Order => {
  const signed = signedFor(kind);
  return {
    transaction_id: draft.transaction_id,
    user_id: accountId,
    transaction_date: draft.transaction_date,
    transaction_reference_id: draft.transaction_reference_id ?? null,
    provider: providerOf(draft),
    exemption_type: draft.exemption_type ?? null,
    customer_id: draft.customer_id ?? null,
    from_country: draft.from_country ?? null,
    from_zip: draft.from_zip ?? null,
    from_state: draft.from_state ?? null,
    from_city: draft.from_city ?? null,
    from_street: draft.from_street ?? null,
    to_country: draft.to_country,
    to_zip: draft.to_zip,
    to_state: draft.to_state,
    to_city: draft.to_city ?? null,
    to_street: draft.to_street ?? null,
    amount: signed(draft.amount),
    shipping: signed(draft.shipping),
    sales_tax: signed(draft.sales_tax),
    line_items: (draft.line_items ?? []).map((line, index) => lineOf(line, index, signed)),
  };
};

/**
 * Return the record as it is answered: a shipment starts in the US unless another country was sent, and the destination
 * city is in capitals. The stored record keeps what was sent.
 */
export const answerOf = (record: Order): Order => ({
  ...record,
  from_country: record.from_country ?? FROM_COUNTRY_DEFAULT,
  to_city: record.to_city?.toUpperCase() ?? null,
});

const signedFor =
  (kind: TransactionKind) =>
  (amount: Price): Price =>
    price(kind === 'order' ? Math.abs(amount) : -Math.abs(amount));

const lineOf = (
  line: NonNullable<Draft['line_items']>[number],
  index: number,
  signed: (amount: Price) => Price,
): TransactionLine => ({
  id: line.id ?? String(index + 1),
  quantity: line.quantity ?? QUANTITY_DEFAULT,
  product_identifier: line.product_identifier ?? null,
  description: line.description ?? null,
  product_tax_code: line.product_tax_code ?? null,
  unit_price: signed(line.unit_price ?? ZERO_PRICE),
  discount: price(Math.abs(line.discount ?? ZERO_PRICE)),
  sales_tax: signed(line.sales_tax ?? ZERO_PRICE),
});

/** A transaction as its caller sends it for recording: decoded, but not yet checked, signed or completed. */
export type Draft = CreateRefund;

/** Merge changes into a draft, except for its id; line items replace all previous ones. */
export const withChanges = (draft: Draft, changes: UpdateRefund): Draft => {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined);
  return {
    ...draft,
    ...(Object.fromEntries(sent) as Partial<Draft>),
    transaction_id: draft.transaction_id,
  };
};

export const providerOf = (named: { readonly provider?: string | undefined }): string =>
  named.provider ?? PROVIDER_DEFAULT;
