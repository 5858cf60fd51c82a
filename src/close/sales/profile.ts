import * as z from 'zod';

/**
 * A source profile: how one kind of export is recognised, and what its columns mean. Data only, in a closed set of
 * forms that an auditor can read; nothing in it is executed.
 */

/** The name of a column, as the header spells it. */
const Column = z.string().min(1);

/** An amount of dollars read from a row. `orZero` reads a blank cell as zero; elsewhere a blank is no amount. */
export type AmountExpression =
  | string
  | { readonly orZero: string }
  | { readonly sum: readonly AmountExpression[] }
  | { readonly subtract: readonly [AmountExpression, AmountExpression] };

const AmountExpression: z.ZodType<AmountExpression> = z.lazy(() =>
  z.union([
    Column,
    z.strictObject({ orZero: Column }),
    z.strictObject({ sum: z.array(AmountExpression).min(1) }),
    z.strictObject({ subtract: z.tuple([AmountExpression, AmountExpression]) }),
  ]),
);

/** A test on one cell of a record's first row. Exactly one of the tests is given. */
const Condition = z.union([
  z.strictObject({ column: Column, in: z.array(z.string()).min(1) }),
  z.strictObject({ column: Column, is: z.enum(['filled', 'blank']) }),
]);
export type Condition = z.output<typeof Condition>;

const ReasonCode = z.string().regex(/^[a-z][a-z0-9-]+$/);

/** What a record is. The first rule whose conditions all hold decides; a record that no rule fits is rejected. */
const RecordRule = z.strictObject({
  when: z.array(Condition).min(1),
  treat: z.enum(['order', 'review', 'ignore', 'reject']),
  reason: ReasonCode.optional(),
  message: z.string().optional(),
});
export type RecordRule = z.output<typeof RecordRule>;

const AddressColumns = z.strictObject({
  country: Column,
  state: Column,
  zip: Column,
  city: Column,
  street: Column,
});
export type AddressColumns = z.output<typeof AddressColumns>;

/** Forms of date cells. The offset is part of the cell, so no zone has to be guessed. */
const DateForm = z.enum(['yyyy-MM-dd HH:mm:ss ZZZ']);

const Common = {
  schema: z.literal(1),
  id: z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/),
  version: z.number().int().min(1),
  title: z.string(),
  /** Where the facts of this profile come from. */
  source: z.string(),
  /** `required` columns recognise the file, wherever they stand; a `forbidden` one rules the profile out. */
  detect: z.strictObject({ required: z.array(Column).min(1), forbidden: z.array(Column).default([]) }),
};

export const SalesProfile = z.strictObject({
  ...Common,
  capability: z.literal('sales'),
  /** One row per line item; order-level cells are blank, or repeated, on the rows after the first. */
  shape: z.strictObject({
    kind: z.literal('line-blank'),
    key: Column,
    head: Column,
    orderColumns: z.array(Column),
  }),
  rules: z.array(RecordRule).min(1),
  map: z.strictObject({
    date: z.strictObject({ column: Column, form: DateForm }),
    currency: Column,
    shipTo: AddressColumns,
    /** Used when every cell of the ship-to address is blank. */
    shipToFallback: AddressColumns.optional(),
    /** Sales made in person: they happen where the seller is. */
    inPerson: Condition.optional(),
    /** Goods after discounts, without shipping and tax. */
    goods: AmountExpression,
    shipping: AmountExpression,
    salesTax: AmountExpression,
    /** What the buyer was asked to pay; it must equal goods + shipping + sales tax. */
    total: AmountExpression,
    /** The total refunded so far, tax included; zero when there was none. */
    refunded: AmountExpression,
    line: z.strictObject({
      present: Column,
      quantity: Column,
      description: Column,
      sku: Column,
      unitPrice: AmountExpression,
      discount: AmountExpression,
    }),
  }),
});
export type SalesProfile = z.output<typeof SalesProfile>;

/** A companion file that says when each refund of another export happened. */
export const RefundDatesProfile = z.strictObject({
  ...Common,
  capability: z.literal('refund-dates'),
  rows: z.strictObject({ column: Column, is: z.array(z.string()).min(1) }),
  map: z.strictObject({
    order: Column,
    date: z.strictObject({ column: Column, form: DateForm }),
    /** The amount given back, tax included, whatever its sign in the file. */
    amount: AmountExpression,
  }),
});
export type RefundDatesProfile = z.output<typeof RefundDatesProfile>;

export const Profile = z.discriminatedUnion('capability', [SalesProfile, RefundDatesProfile]);
export type Profile = z.output<typeof Profile>;
