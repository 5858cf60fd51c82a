import * as z from 'zod';
import {
  Amount,
  CODE_MAX,
  Country,
  type Decoded,
  ENTRIES_MAX,
  ExemptionType,
  OptionalAmount,
  OptionalDay,
  OptionalExemptionType,
  optional,
  optionalList,
  optionalText,
  Provider,
  Quantity,
  RequiredState,
  requiredText,
  SentAddresses,
  TEXT_MAX,
  TransactionDate,
  TransactionId,
  ZIP_MAX,
} from './scalars.ts';

/** Maximum length of a line item's description. A longer one, up to the second limit, is refused by its own rule. */
export const DESCRIPTION_LENGTH_MAX = 255;
export const DESCRIPTION_READ_MAX = 100_000;
/** The provider of a record that does not name one. */
export const PROVIDER_DEFAULT = 'api';

/** One entry of `line_items[]` as a caller sends it. */
const SentLine = z.object({
  id: optionalText(TEXT_MAX),
  quantity: optional(Quantity),
  product_identifier: optionalText(TEXT_MAX),
  description: optionalText(DESCRIPTION_READ_MAX),
  product_tax_code: optionalText(CODE_MAX),
  unit_price: OptionalAmount,
  discount: OptionalAmount,
  sales_tax: OptionalAmount,
});

type WithLines<Fields> = Omit<Fields, 'line_items'> & {
  readonly line_items?: readonly Decoded<typeof SentLine>[] | undefined;
};

/**
 * The body of `PUT /transactions/orders/:transaction_id` and of the same for refunds: fields that change. Line items replace
 * the stored ones. Unknown keys are ignored.
 */
export const UpdateTransaction = z.object({
  transaction_date: optional(TransactionDate),
  transaction_reference_id: optionalText(TEXT_MAX),
  provider: Provider,
  ...SentAddresses,
  amount: OptionalAmount,
  shipping: OptionalAmount,
  sales_tax: OptionalAmount,
  customer_id: optionalText(TEXT_MAX),
  exemption_type: OptionalExemptionType,
  line_items: optionalList(SentLine, ENTRIES_MAX),
});
export type UpdateTransactionInput = z.input<typeof UpdateTransaction>;
export type UpdateTransaction = WithLines<Decoded<typeof UpdateTransaction>>;

/** The body of `POST /transactions/orders` and `/transactions/refunds`. */
export const CreateTransaction = UpdateTransaction.extend({
  transaction_id: TransactionId,
  transaction_date: TransactionDate,
  to_country: Country,
  to_zip: requiredText(ZIP_MAX),
  to_state: RequiredState,
  amount: Amount,
  shipping: Amount,
  sales_tax: Amount,
});
export type CreateTransactionInput = z.input<typeof CreateTransaction>;
export type CreateTransaction = WithLines<Decoded<typeof CreateTransaction>>;

export type TransactionKind = 'order' | 'refund';

/** The identity of a transaction: orders and refunds have separate ids, and so does every provider. */
export type TransactionName = {
  readonly kind: TransactionKind;
  readonly id: string;
  /** `api` when absent. */
  readonly provider?: string | undefined;
};

/** An order or a refund to record, decoded; only a refund can refer to another transaction. */
export type NewTransaction = {
  readonly kind: TransactionKind;
  readonly transaction: CreateTransaction;
};

/** A line item of a stored transaction. */
const TransactionLine = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  quantity: z.number().nullable(),
  product_identifier: z.string().nullable(),
  description: z.string().nullable(),
  product_tax_code: z.string().nullable(),
  unit_price: Amount,
  discount: Amount,
  sales_tax: Amount,
});
export type TransactionLine = z.output<typeof TransactionLine>;

const nullableText = z
  .string()
  .nullish()
  .transform((text) => text ?? null);

/**
 * A stored order or refund as the service answers it. Orders are positive, refunds negative, discounts positive. The
 * interface does not promise the customer.
 */
export const Order = z.object({
  transaction_id: z.string(),
  user_id: z.number().int(),
  transaction_date: TransactionDate,
  transaction_reference_id: nullableText,
  provider: z.string(),
  exemption_type: ExemptionType.nullish().transform((type) => type ?? null),
  customer_id: z.string().nullish(),
  from_country: nullableText,
  from_zip: nullableText,
  from_state: nullableText,
  from_city: nullableText,
  from_street: nullableText,
  to_country: nullableText,
  to_zip: nullableText,
  to_state: nullableText,
  to_city: nullableText,
  to_street: nullableText,
  amount: Amount,
  shipping: Amount,
  sales_tax: Amount,
  line_items: z.array(TransactionLine),
});
export type Order = z.output<typeof Order>;
export type Refund = Order;

const RECORD_FIELDS = Object.keys(Order.shape) as (keyof Order)[];

/** Build a record from its fields: those of the interface, in its order; absent ones are `null`. */
export const orderedRecord = (
  fields: {
    readonly [Name in keyof Order]?: Order[Name] | undefined;
  },
): Order => {
  const record: Record<string, unknown> = {};
  for (const name of RECORD_FIELDS) record[name] = fields[name] ?? null;
  return record as Order;
};

/** The answer to a delete: only the identifiers of the record. */
export const DeletedTransaction = z.object({
  transaction_id: z.string(),
  user_id: z.number().int(),
  provider: z.string(),
});
export type DeletedTransaction = z.output<typeof DeletedTransaction>;

/** Query of the two listings: one day, or both ends of a range (both inclusive, UTC days), or neither. */
export const ListingQuery = z
  .object({
    transaction_date: OptionalDay,
    from_transaction_date: OptionalDay,
    to_transaction_date: OptionalDay,
    provider: Provider,
  })
  .superRefine((query, context) => {
    const { transaction_date: day, from_transaction_date: from, to_transaction_date: to } = query;
    const refuse = (path: string, message: string, params: object = {}) =>
      context.addIssue({ code: 'custom', path: [path], message, params });
    if (day !== undefined && (from !== undefined || to !== undefined)) {
      refuse('transaction_date', 'cannot be combined with a range of dates');
    } else if (from === undefined && to !== undefined) refuse('from_transaction_date', 'is missing');
    else if (from !== undefined && to === undefined) refuse('to_transaction_date', 'is missing');
    else if (from !== undefined && to !== undefined && from > to) {
      refuse('to_transaction_date', 'must not be before from_transaction_date', { status: 400 });
    }
  });
export type ListingQueryInput = z.input<typeof ListingQuery>;
export type ListingQuery = z.output<typeof ListingQuery>;

export const ProviderQuery = z.object({ provider: Provider });
export type ProviderQueryInput = z.input<typeof ProviderQuery>;
