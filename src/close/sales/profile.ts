import * as z from 'zod';
import { AmountExpression, Column, Condition, Pattern, TextExpression } from './profile/expression.ts';
import { DateRule, Locale } from './profile/locale.ts';
import { Check, RecordRule, SaleMap, TaxLines } from './profile/sale-map.ts';
import { NumberedLines, PackedLines, PackedRefunds, Shape } from './profile/shape.ts';

/** How a file is told from others: by its columns, wherever they stand, and by what stands around them. */
const Detection = z.strictObject({
  required: z.array(Column).min(1).describe('Columns without which the file is not of this kind.'),
  any: z
    .array(z.array(Column).min(2))
    .default([])
    .describe('Groups of columns; at least one of each group is there.'),
  forbidden: z.array(Column).default([]).describe('Columns that rule the profile out.'),
  filename: Pattern.optional().describe('Said of the file’s name: a help where columns alone do not decide.'),
  preamble: Pattern.optional().describe('Said of the lines before the header, in the same way.'),
});

/** How the bytes of a file become rows. What is left out is found out by looking. */
const FileForm = z.strictObject({
  delimiters: z
    .array(z.enum([',', ';', '\t', '|']))
    .optional()
    .describe('What may stand between two cells.'),
  encodings: z
    .array(z.enum(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']))
    .optional()
    .describe('What the bytes may be.'),
  headerSearchLines: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(30)
    .describe('How many lines from the top may be the header.'),
  headerAliases: z
    .record(Column, Column)
    .default({})
    .describe('Another spelling of a column, and the column it means.'),
  footer: z
    .array(Pattern)
    .default([])
    .describe(
      'Lines that are not records, such as a sum at the end, told by their filled cells, joined by commas.',
    ),
  duplicateHeaders: z
    .enum(['first', 'number'])
    .default('first')
    .describe(
      'Of two columns with one name the first is meant; or the second is called `Name (2)` and so on.',
    ),
  sheet: z.string().optional().describe('The sheet of a workbook; its first one when left out.'),
  nullTokens: z.array(z.string()).default([]).describe('Cells that say “nothing here”, beside blank ones.'),
});

/**
 * A source profile: how one kind of export is recognised, and what its columns mean. Data only, in a closed set of
 * forms that an auditor can read; nothing in it is executed.
 */

const Common = {
  schema: z.literal(1).describe('The edition of this form.'),
  id: z
    .string()
    .regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'must be small letters and digits, such as our-shop.orders')
    .describe('Names the profile in `tieout.yaml` and in the workbooks.'),
  version: z.number().int().min(1).describe('A change of meaning is a new version.'),
  title: z.string().describe('What people call the export.'),
  source: z.string().describe('Where the facts of this profile come from.'),
  columns: z
    .array(Column)
    .default([])
    .describe('Every column that such files are known to have; what is new or gone is a notice.'),
  optionalColumns: z
    .array(Column)
    .default([])
    .describe('Further columns that only some files have, such as older ones; none is missed.'),
  detect: Detection.describe('How a file is told from others, wherever its columns stand.'),
  file: FileForm.prefault({}).describe('How its bytes become rows; what is left out is found by looking.'),
};

export const SalesProfile = z.strictObject({
  ...Common,
  capability: z
    .literal('sales')
    .describe(
      'What it is good for. A companion (`refund-dates`, `tax-report`) or refused file has other keys.',
    ),
  locale: Locale.describe('How amounts and dates are written.'),
  shape: Shape.describe('How rows make up records.'),
  packedLines: PackedLines.optional().describe('Lines packed into one cell, or into numbered cells.'),
  packedRefunds: PackedRefunds.optional().describe('Repayments packed into one cell, with their dates.'),
  numberedLines: NumberedLines.optional().describe(
    'Lines spread over numbered columns: the names that `map.line` uses, and the columns (`#` for the number).',
  ),
  rules: z
    .array(RecordRule)
    .min(1)
    .describe(
      'What a record is, told by its first row: the first that fits. A record that none fits is rejected.',
    ),
  map: SaleMap.describe('What the columns mean for a sale.'),
  taxLines: TaxLines.optional().describe(
    'The tax by jurisdiction, where the export states it. What cannot be read is a finding and rejects no record.',
  ),
  checks: z
    .array(Check)
    .default([])
    .describe('Two ways to one figure; a record in which they differ needs a review.'),
  controls: z
    .array(Column)
    .default([])
    .describe(
      'Columns of money whose sums are kept for each file, over all rows and by what became of them.',
    ),
});
export type SalesProfile = z.output<typeof SalesProfile>;

/** A companion file that says when each refund of another export happened. */
export const RefundDatesProfile = z.strictObject({
  ...Common,
  capability: z.literal('refund-dates'),
  /** The profiles whose orders it tells of; left out where it may be those of any shop. */
  companionOf: z.array(z.string()).min(1).optional(),
  locale: Locale.omit({ taxDate: true, date: true }).extend({ date: DateRule }),
  /** Tests that hold for a row that is a repayment; all other rows are about something else. */
  rows: z.array(Condition).min(1),
  map: z.strictObject({
    order: TextExpression,
    /** The amount given back, tax included, whatever its sign in the file. */
    amount: AmountExpression,
  }),
  /** What to do when somebody gives such a file as sales. */
  advice: z.string(),
});
export type RefundDatesProfile = z.output<typeof RefundDatesProfile>;

/** A companion file that says the tax of each order by jurisdiction, and perhaps who remits it. */
export const TaxReportProfile = z.strictObject({
  ...Common,
  capability: z.literal('tax-report'),
  /** The profiles whose orders it tells of. */
  companionOf: z.array(z.string()).min(1),
  locale: Locale.omit({ taxDate: true, date: true }).extend({ date: DateRule }),
  /** Tests that hold for a row about an order; all other rows are sums. */
  rows: z.array(Condition).min(1),
  map: z.strictObject({
    order: TextExpression,
    /** The state that the order went to, by name or code. */
    state: TextExpression,
    /** Whether the channel remits the tax itself; a word in neither list is rejected. */
    remitted: z.strictObject({
      column: Column,
      byChannel: z.array(z.string()).min(1),
      bySeller: z.array(z.string()).min(1),
    }),
  }),
  taxLines: TaxLines,
  /** What to do when somebody gives such a file as sales. */
  advice: z.string(),
});
export type TaxReportProfile = z.output<typeof TaxReportProfile>;

/** A file that is read beside the exports it belongs to. */
export type CompanionProfile = RefundDatesProfile | TaxReportProfile;

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

export const Profile = z.discriminatedUnion('capability', [
  SalesProfile,
  RefundDatesProfile,
  TaxReportProfile,
  RefusedProfile,
]);
export type Profile = z.output<typeof Profile>;
