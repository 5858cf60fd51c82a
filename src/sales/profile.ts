import * as z from 'zod';
import {
  AmountExpression,
  Column,
  Condition,
  DateRule,
  isChannelOr,
  Pattern,
  TextExpression,
} from './expression.ts';
import {
  Check,
  Locale,
  NumberedLines,
  PackedLines,
  PackedRefunds,
  RecordRule,
  SaleMap,
  Shape,
  TaxLines,
} from './sale-map.ts';

/** How to recognise a file: by its columns, in any order. */
const Detection = z.strictObject({
  required: z.array(Column).min(1).describe('Columns without which the file is not of this kind.'),
  any: z
    .array(z.array(Column).min(2))
    .default([])
    .describe('Groups of columns; at least one of each group is there.'),
  forbidden: z.array(Column).default([]).describe('Columns that rule the profile out.'),
});

/** How the bytes of a file become rows. Encoding, delimiter and header line are detected. */
const FileForm = z.strictObject({
  headerAliases: z
    .record(Column, Column)
    .default({})
    .describe('Another spelling of a column, and the column it means.'),
  footer: z
    .array(Pattern)
    .default([])
    .describe('Lines that are not records, such as sums, told by their filled cells, joined by commas.'),
  nullTokens: z.array(z.string()).default([]).describe('Cells that say “nothing here”, beside blank ones.'),
});

/**
 * A source profile: how to recognise one kind of export, and what its columns mean. It is data only, in a closed set of
 * forms that an auditor can read; nothing in it is executed.
 */

const Common = {
  schema: z.literal(1).describe('The edition of this form.'),
  extends: z
    .string()
    .optional()
    .describe('The shipped profile that it differs from; only what differs is stated then.'),
  id: z
    .string()
    .regex(/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/, 'must be small letters and digits, such as our-shop.orders')
    .describe('Names the profile in `tieout.yaml` and in the workbooks.'),
  version: z.number().int().min(1).describe('A change of meaning is a new version.'),
  title: z.string().describe('What people call the export.'),
  source: z.string().describe('Where the facts of this profile come from.'),
  proof: z
    .strictObject({
      by: z
        .enum(['real-file', 'vendor-page'])
        .describe('Rows of a real file that add up so, or a page of the vendor that says it.'),
      on: z.iso.date().describe('The day on which it was looked at.'),
    })
    .optional()
    .describe('What proves its columns and how they add up; without it the profile is `unproved`.'),
  columns: z
    .array(Column)
    .default([])
    .describe(
      'The columns that such files are known to have. A column that another key names must be here or under `detect`; those of a profile that is extended are known, too.',
    ),
  detect: Detection.describe('How a file is told from others, wherever its columns stand.'),
  file: FileForm.prefault({}).describe('How its bytes become rows; what is left out is found by looking.'),
};

export const SalesProfile = z
  .strictObject({
    ...Common,
    capability: z
      .literal('sales')
      .describe('What it is good for. A companion (`refund-dates`) or refused file has other keys.'),
    locale: Locale.describe('How amounts and dates are written.'),
    shape: Shape.describe('How rows make up records.'),
    packedLines: PackedLines.optional().describe('Lines packed into one cell, or into numbered cells.'),
    packedRefunds: PackedRefunds.optional().describe('Repayments packed into one cell, with their dates.'),
    numberedLines: NumberedLines.optional().describe(
      'Lines in numbered columns: the names that `map.line` uses, and the columns.',
    ),
    rules: z
      .array(RecordRule)
      .min(1)
      .describe('What a record is by its first row: the first rule that fits. Without one it is rejected.'),
    statuses: z
      .array(
        z.strictObject({
          column: Column.describe('A status column.'),
          order: z
            .array(z.array(z.string()).min(1))
            .min(2)
            .describe('Its texts in the order in which a record comes to them; `""` for a blank cell.'),
        }),
      )
      .default([])
      .describe('Of two statements of one record, the later status counts.'),
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
      .describe('Columns of money whose sums are kept for each file, by what became of the rows.'),
  })
  .refine(({ shape, locale: { date } }) => !shape.parts || !isChannelOr(date.zone), {
    path: ['locale', 'date', 'zone'],
    message:
      'must not be channelOr beside parts, which are known by their time: another zone would make new ones',
  })
  .refine(({ locale, map }) => locale.finerAmounts === 'refuse' || map.total !== undefined, {
    path: ['locale', 'finerAmounts'],
    message: 'must not be round without map.total, which proves that nothing was rounded away',
  });
export type SalesProfile = z.output<typeof SalesProfile>;

/** A file that is read together with the exports it belongs to: it has the dates of their refunds. */
export const CompanionProfile = z.strictObject({
  ...Common,
  capability: z.literal('refund-dates'),
  /** The profiles whose orders it refers to; left out if it may be any shop's. */
  companionOf: z.array(z.string()).min(1).optional(),
  locale: Locale.omit({ taxDate: true, date: true }).extend({ date: DateRule }),
  /** Tests that every repayment row passes; all other rows are ignored. */
  rows: z.array(Condition).min(1),
  map: z.strictObject({
    order: TextExpression,
    /** The refunded amount including tax, regardless of its sign in the file. */
    amount: AmountExpression,
  }),
  /** Advice to a user who configures such a file as sales. */
  advice: z.string(),
});
export type CompanionProfile = z.output<typeof CompanionProfile>;

/**
 * A known export that cannot be filed from: it has only totals to compare with (`control-total`), or too little detail
 * (`refused`). The advice names the export to use instead.
 */
export const RefusedProfile = z.strictObject({
  ...Common,
  capability: z.enum(['control-total', 'refused']),
  advice: z.string(),
});
export type RefusedProfile = z.output<typeof RefusedProfile>;

export const Profile = z.discriminatedUnion('capability', [SalesProfile, CompanionProfile, RefusedProfile]);
export type Profile = z.output<typeof Profile>;

/** The columns that files of this kind are known to have, in every spelling. */
export const columnsOfProfile = ({ columns, detect, file }: Profile): readonly string[] => [
  ...new Set([
    ...columns,
    ...detect.required,
    ...detect.any.flat(),
    ...Object.entries(file.headerAliases).flat(),
  ]),
];
