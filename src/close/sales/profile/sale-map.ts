import * as z from 'zod';
import { AmountExpression, Condition, TextExpression } from './expression.ts';
import { LineRule } from './record-rule.ts';

export const AddressColumns = z.strictObject({
  country: TextExpression,
  state: TextExpression,
  zip: TextExpression,
  city: TextExpression,
  street: TextExpression,
});
export type AddressColumns = z.output<typeof AddressColumns>;

/**
 * A line item. Of unit price, gross (before its discount) and net (after it) a profile gives what the export has; the
 * rest follows, always so that quantity × unit price − discount is exactly the net.
 */
const LineMap = z.strictObject({
  /** A row, or a packed item, is a line when this is filled. */
  present: TextExpression,
  quantity: TextExpression,
  description: TextExpression,
  sku: TextExpression,
  unitPrice: AmountExpression.optional(),
  gross: AmountExpression.optional(),
  net: AmountExpression.optional(),
  /** Of the whole line, in either sign. */
  discount: AmountExpression.optional(),
  rules: z.array(LineRule).default([]),
});
export type LineMap = z.output<typeof LineMap>;

const EXEMPTIONS = ['wholesale', 'government', 'other', 'non_exempt'] as const;

/** What the columns mean for a sale. */
export const SaleMap = z.strictObject({
  /** The id of an order or refund, where it is not the first column of the key. */
  id: TextExpression.optional(),
  /** The id of a refund row of its own; `<order>-refund` where there is none. */
  refundId: TextExpression.optional(),
  /** The order that a refund row gives back. */
  reference: TextExpression.optional(),
  shipTo: AddressColumns.optional(),
  /** Used when every cell of the ship-to address but the country is blank. */
  shipToFallback: AddressColumns.optional(),
  /** The place of business by its name, which the channel's `locations` give an address. */
  location: TextExpression.optional(),
  /** Sales made in person: they happen where the seller is. */
  inPerson: Condition.optional(),
  /** Goods after discounts, without shipping and tax. Without it, what the lines come to. */
  goods: AmountExpression.optional(),
  shipping: AmountExpression,
  /** Tax that the seller collected. */
  salesTax: AmountExpression,
  /** Tax that a marketplace collected and remits. */
  marketplaceTax: AmountExpression.optional(),
  /** Charges that are neither goods nor shipping; each becomes a line. */
  fees: z.array(z.strictObject({ description: z.string(), amount: AmountExpression })).default([]),
  /** What the buyer was asked to pay; it must equal goods + fees + shipping + both taxes. */
  total: AmountExpression.optional(),
  /** Paid with a gift card or store credit, where the total may or may not be lowered by it. */
  paidByGiftCard: AmountExpression.optional(),
  /** The total refunded so far, tax included, where refunds are no rows of their own; zero when there was none. */
  refunded: AmountExpression.optional(),
  /** When the marketplace collects the tax: always, or when a condition holds for any row of the record. */
  marketplace: z.union([z.literal('always'), z.strictObject({ when: z.array(Condition).min(1) })]).optional(),
  /** Why a sale is exempt; the first that holds. */
  exemption: z
    .array(z.strictObject({ when: z.array(Condition).min(1), type: z.enum(EXEMPTIONS) }))
    .default([]),
  customer: TextExpression.optional(),
  line: LineMap.optional(),
});
export type SaleMap = z.output<typeof SaleMap>;

/** Two ways to one figure. When `amount` equals none of `equals`, the record needs a review under the check's name. */
export const Check = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]+$/),
  amount: AmountExpression,
  equals: z.array(AmountExpression).min(1),
  tolerance: z
    .string()
    .regex(/^\d+\.\d{2}$/)
    .default('0.00'),
});
export type Check = z.output<typeof Check>;
