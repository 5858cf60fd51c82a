import * as z from 'zod';
import {
  Amount,
  Country,
  Day,
  ExemptionType,
  OptionalCountry,
  OptionalExemptionType,
  optionalText,
  RequiredState,
  requiredText,
  State,
  StoredAmount,
  TransactionDate,
  TransactionId,
} from './scalars.ts';
import { LINE_ITEMS_MAX, Quantity } from './tax-request.ts';

/** Characters a line item's description may have. */
export const DESCRIPTION_LENGTH_MAX = 255;
/** The source of a record when nobody says otherwise. */
export const PROVIDER_DEFAULT = 'api';

const OptionalAmount = Amount.nullish().transform((value) => value ?? undefined);

/** One entry of `line_items[]` as a caller sends it. */
export const TransactionLineInput = z
  .object({
    id: optionalText(255),
    quantity: Quantity.nullish().transform((value) => value ?? undefined),
    product_identifier: optionalText(255),
    description: optionalText(100_000),
    product_tax_code: optionalText(64),
    unit_price: OptionalAmount,
    discount: OptionalAmount,
    sales_tax: OptionalAmount,
  })
  .meta({ id: 'TransactionLineInput' });

const LineItems = z
  .array(TransactionLineInput)
  .max(LINE_ITEMS_MAX, `must have at most ${LINE_ITEMS_MAX} entries`)
  .nullish()
  .transform((value) => value ?? undefined);

const Provider = optionalText(64).transform((provider) => provider?.toLowerCase());

const FromAddress = {
  from_country: OptionalCountry,
  from_zip: optionalText(20),
  from_state: State,
  from_city: optionalText(255),
  from_street: optionalText(255),
};

/** The body of `POST /transactions/orders`. Unknown keys are ignored. */
export const CreateOrder = z
  .object({
    transaction_id: TransactionId,
    transaction_date: TransactionDate,
    provider: Provider,
    ...FromAddress,
    to_country: Country,
    to_zip: requiredText(20),
    to_state: RequiredState,
    to_city: optionalText(255),
    to_street: optionalText(255),
    amount: Amount,
    shipping: Amount,
    sales_tax: Amount,
    customer_id: optionalText(255),
    exemption_type: OptionalExemptionType,
    line_items: LineItems,
  })
  .meta({ id: 'CreateOrder' });
export type CreateOrderInput = z.input<typeof CreateOrder>;
export type CreateOrder = z.output<typeof CreateOrder>;

/** The body of `POST /transactions/refunds`. */
export const CreateRefund = CreateOrder.extend({
  transaction_reference_id: optionalText(255),
}).meta({ id: 'CreateRefund' });
export type CreateRefundInput = z.input<typeof CreateRefund>;
export type CreateRefund = z.output<typeof CreateRefund>;

/** The body of `PUT /transactions/orders/:transaction_id`: only what changes. Line items replace the stored ones. */
export const UpdateOrder = z
  .object({
    transaction_date: TransactionDate.nullish().transform((value) => value ?? undefined),
    provider: Provider,
    ...FromAddress,
    to_country: OptionalCountry,
    to_zip: optionalText(20),
    to_state: State,
    to_city: optionalText(255),
    to_street: optionalText(255),
    amount: OptionalAmount,
    shipping: OptionalAmount,
    sales_tax: OptionalAmount,
    customer_id: optionalText(255),
    exemption_type: OptionalExemptionType,
    line_items: LineItems,
  })
  .meta({ id: 'UpdateOrder' });
export type UpdateOrderInput = z.input<typeof UpdateOrder>;
export type UpdateOrder = z.output<typeof UpdateOrder>;

/** The body of `PUT /transactions/refunds/:transaction_id`. */
export const UpdateRefund = UpdateOrder.extend({
  transaction_reference_id: optionalText(255),
}).meta({ id: 'UpdateRefund' });
export type UpdateRefundInput = z.input<typeof UpdateRefund>;
export type UpdateRefund = z.output<typeof UpdateRefund>;

/** A line item of a stored transaction. */
export const TransactionLine = z
  .object({
    id: z.union([z.string(), z.number()]).transform(String),
    quantity: z.number().nullable(),
    product_identifier: z.string().nullable(),
    description: z.string().nullable(),
    product_tax_code: z.string().nullable(),
    unit_price: StoredAmount,
    discount: StoredAmount,
    sales_tax: StoredAmount,
  })
  .meta({ id: 'TransactionLine' });
export type TransactionLine = z.output<typeof TransactionLine>;

const nullableText = z
  .string()
  .nullish()
  .transform((text) => text ?? null);

/** A stored transaction as the service answers it. Orders are positive, refunds negative, discounts positive. */
const StoredTransaction = {
  transaction_id: z.string(),
  user_id: z.number().int(),
  transaction_date: TransactionDate,
  transaction_reference_id: nullableText,
  provider: z.string(),
  exemption_type: ExemptionType.nullish().transform((type) => type ?? null),
  customer_id: nullableText,
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
  amount: StoredAmount,
  shipping: StoredAmount,
  sales_tax: StoredAmount,
  line_items: z.array(TransactionLine),
};

export const Order = z.object(StoredTransaction).meta({ id: 'Order' });
export type Order = z.output<typeof Order>;
export const OrderBody = z.object({ order: Order });

export const Refund = z.object(StoredTransaction).meta({ id: 'Refund' });
export type Refund = z.output<typeof Refund>;
export const RefundBody = z.object({ refund: Refund });

/** What a delete answers: the identifiers, and nothing else of the record. */
export const DeletedTransaction = z
  .object({ transaction_id: z.string(), user_id: z.number().int(), provider: z.string() })
  .meta({ id: 'DeletedTransaction' });
export type DeletedTransaction = z.output<typeof DeletedTransaction>;
export const DeletedOrderBody = z.object({ order: DeletedTransaction });
export const DeletedRefundBody = z.object({ refund: DeletedTransaction });

/** Query of the two listings: one day, or both ends of a range (both inclusive, UTC days), or neither. */
export const ListingQuery = z
  .object({
    transaction_date: Day.nullish().transform((value) => value ?? undefined),
    from_transaction_date: Day.nullish().transform((value) => value ?? undefined),
    to_transaction_date: Day.nullish().transform((value) => value ?? undefined),
    provider: Provider,
  })
  .superRefine((query, context) => {
    const { transaction_date: day, from_transaction_date: from, to_transaction_date: to } = query;
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (day !== undefined && (from !== undefined || to !== undefined)) {
      refuse('transaction_date', 'cannot be combined with a range of dates');
    } else if (from === undefined && to !== undefined) refuse('from_transaction_date', 'is missing');
    else if (from !== undefined && to === undefined) refuse('to_transaction_date', 'is missing');
    else if (from !== undefined && to !== undefined && from > to) {
      refuse('to_transaction_date', 'must not be before from_transaction_date');
    }
  })
  .meta({ id: 'ListingQuery' });
export type ListingQueryInput = z.input<typeof ListingQuery>;
export type ListingQuery = z.output<typeof ListingQuery>;

export const ProviderQuery = z.object({ provider: Provider }).meta({ id: 'ProviderQuery' });
export type ProviderQueryInput = z.input<typeof ProviderQuery>;

export const OrdersBody = z.object({ orders: z.array(z.string()) });
export const RefundsBody = z.object({ refunds: z.array(z.string()) });
