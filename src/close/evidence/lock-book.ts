import * as z from 'zod';

const amount = z.int().nullable();

/**
 * A line of `evidence/lock-books.ndjson.gz`: a row of the workspace that the other logs lack. The text and the figures
 * of a filed sale are in the log of entries; these rows say where it is filed.
 */
export const LockBook = z.discriminatedUnion('book', [
  z.strictObject({
    book: z.literal('closing'),
    row: z.strictObject({
      period: z.string(),
      first: z.string(),
      last: z.string(),
      clean: z.int(),
      files: z.string(),
      report: z.string(),
      parts: z.string(),
      seen: z.string(),
    }),
  }),
  z.strictObject({
    book: z.literal('closing_exceptions'),
    row: z.strictObject({ period: z.string(), page: z.int(), body: z.string() }),
  }),
  z.strictObject({
    book: z.literal('period_state'),
    row: z.strictObject({
      period: z.string(),
      state: z.string(),
      orders: z.int(),
      refunds: z.int(),
      gross: z.int(),
      collected: z.int(),
      expected: z.int(),
      taxable: amount,
      exempt: amount,
      resale: amount,
      marketplace: amount,
      transactions: amount,
      marketplace_orders: amount,
      prepayments_left: amount,
      credits_left: amount,
    }),
  }),
  z.strictObject({
    book: z.literal('carried_sale'),
    row: z.strictObject({
      key: z.string(),
      filed_on: z.string(),
      amendment: z.string(),
      source: z.string(),
      corrects: z.string(),
      replaces: z.string(),
      business_date: z.string(),
      posting: z.string(),
      body: z.string(),
      digest: z.string(),
    }),
  }),
  z.strictObject({
    book: z.literal('late_decision'),
    row: z.strictObject({
      period: z.string(),
      key: z.string(),
      choice: z.string(),
      destination: z.string(),
      content: z.string(),
      decided: z.int(),
      who: z.string(),
      why: z.string(),
    }),
  }),
  z.strictObject({
    book: z.literal('period_event'),
    row: z.strictObject({
      period: z.string(),
      what: z.string(),
      at: z.int(),
      who: z.string(),
      why: z.string(),
      digest: z.string(),
    }),
  }),
  z.strictObject({
    book: z.literal('filed_sale'),
    row: z.strictObject({
      key: z.string(),
      filed_on: z.string(),
      source: z.string(),
      corrects: z.string(),
      posting: z.string(),
      digest: z.string(),
      /** As in the export; the log of entries has the type after certificates were applied. */
      exemption_type: z.string().nullable(),
    }),
  }),
]);
export type LockBook = z.output<typeof LockBook>;
export type LockBookOf<Name extends LockBook['book']> = Extract<LockBook, { book: Name }>['row'];
