import * as z from 'zod';
import { AmountExpression, Column } from './profile/expression.ts';
import { Detection, FileForm } from './profile/file-form.ts';
import { DateRule, Locale } from './profile/locale.ts';
import { RecordRule } from './profile/record-rule.ts';
import { Check, SaleMap } from './profile/sale-map.ts';
import { NumberedLines, PackedLines, PackedRefunds, Shape } from './profile/shape.ts';

/**
 * A source profile: how one kind of export is recognised, and what its columns mean. Data only, in a closed set of
 * forms that an auditor can read; nothing in it is executed.
 */

const Common = {
  schema: z.literal(1),
  id: z.string().regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/),
  version: z.number().int().min(1),
  title: z.string(),
  /** Where the facts of this profile come from. */
  source: z.string(),
  /** Every column that such files are known to have, required or not. */
  columns: z.array(Column).default([]),
  detect: Detection,
  file: FileForm.prefault({}),
};

export const SalesProfile = z.strictObject({
  ...Common,
  capability: z.literal('sales'),
  locale: Locale,
  shape: Shape,
  packedLines: PackedLines.optional(),
  packedRefunds: PackedRefunds.optional(),
  numberedLines: NumberedLines.optional(),
  rules: z.array(RecordRule).min(1),
  map: SaleMap,
  checks: z.array(Check).default([]),
  /** Columns of money whose sums are kept for each file, over all rows and by what became of them. */
  controls: z.array(Column).default([]),
});
export type SalesProfile = z.output<typeof SalesProfile>;

/** A companion file that says when each refund of another export happened. */
export const RefundDatesProfile = z.strictObject({
  ...Common,
  capability: z.literal('refund-dates'),
  locale: Locale.omit({ taxDate: true, date: true }).extend({ date: DateRule }),
  rows: z.strictObject({ column: Column, is: z.array(z.string()).min(1) }),
  map: z.strictObject({
    order: Column,
    /** The amount given back, tax included, whatever its sign in the file. */
    amount: AmountExpression,
  }),
  /** What to do when somebody gives such a file as sales. */
  advice: z.string(),
});
export type RefundDatesProfile = z.output<typeof RefundDatesProfile>;

/**
 * An export that is known and holds no sales to file from: totals to compare with (`control-total`), or too little
 * (`refused`). The advice says which export to take instead.
 */
export const RefusedProfile = z.strictObject({
  ...Common,
  capability: z.enum(['control-total', 'refused']),
  advice: z.string(),
});
export type RefusedProfile = z.output<typeof RefusedProfile>;

export const Profile = z.discriminatedUnion('capability', [SalesProfile, RefundDatesProfile, RefusedProfile]);
export type Profile = z.output<typeof Profile>;
