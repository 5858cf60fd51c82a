import {
  type CreateRefund,
  type Order,
  PROVIDER_DEFAULT,
  type TransactionLine,
  type UpdateRefund,
} from '../../contract/transaction.ts';

/** A transaction as its caller wants it recorded: decoded, not yet checked, signed or completed. */
export type Draft = CreateRefund;

/** A recorded transaction as the draft it could have been made from. */
export const draftOf = (recorded: Order): Draft => ({
  transaction_id: recorded.transaction_id,
  transaction_date: recorded.transaction_date,
  transaction_reference_id: recorded.transaction_reference_id ?? undefined,
  provider: recorded.provider,
  exemption_type: recorded.exemption_type ?? undefined,
  customer_id: recorded.customer_id ?? undefined,
  from_country: recorded.from_country ?? undefined,
  from_zip: recorded.from_zip ?? undefined,
  from_state: recorded.from_state ?? undefined,
  from_city: recorded.from_city ?? undefined,
  from_street: recorded.from_street ?? undefined,
  to_country: recorded.to_country ?? '',
  to_zip: recorded.to_zip ?? '',
  to_state: recorded.to_state ?? '',
  to_city: recorded.to_city ?? undefined,
  to_street: recorded.to_street ?? undefined,
  amount: recorded.amount,
  shipping: recorded.shipping,
  sales_tax: recorded.sales_tax,
  line_items: recorded.line_items.map(draftLineOf),
});

const draftLineOf = (line: TransactionLine): NonNullable<Draft['line_items']>[number] => ({
  id: line.id,
  quantity: line.quantity ?? undefined,
  product_identifier: line.product_identifier ?? undefined,
  description: line.description ?? undefined,
  product_tax_code: line.product_tax_code ?? undefined,
  unit_price: line.unit_price,
  discount: line.discount,
  sales_tax: line.sales_tax,
});

/** The draft with what was sent in place of what was there, but for its id; line items replace all of the former ones. */
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
