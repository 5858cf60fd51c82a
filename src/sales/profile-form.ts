import * as z from 'zod';
import { isTimeZone, wantedZone } from '../kernel/time-zones.ts';
import { AmountExpression, Column, TextExpression } from './expression.ts';

const Zone = z.string().refine(isTimeZone, { error: ({ input }) => `must be ${wantedZone(input)}` });

const DateForm = z.string().regex(/yy/, 'must have a year');

export const DateRule = z.strictObject({
  columns: z
    .array(TextExpression)
    .min(1)
    .describe('The cells of the date and, in some exports, of the time, joined by a blank.'),
  forms: z
    .array(DateForm)
    .min(1)
    .describe(
      'Tried in order. Letters: `yyyy yy MMMM MMM MM M dd d HH H hh h mm ss a`, `ZZZ` for an offset (`+0000`, `-07:00`, `Z`, `UTC`), `zzz` for the abbreviation of a US zone (`PST`). Everything else stands for itself; `(...)` is an optional part. Without hours the whole day is meant, wherever the seller is.',
    ),
  provenByFile: z
    .boolean()
    .default(false)
    .describe('The forms exclude each other, and the file’s own values must prove which of them it uses.'),
  zone: z
    .union([
      z.enum(['cell-offset', 'cell-abbreviation', 'channel']),
      z.strictObject({
        column: Column.describe('The column that names the zone.'),
        map: z.record(z.string(), Zone).describe('Its words, and the zones they mean.'),
      }),
      z.strictObject({
        channelOr: Zone.describe('The zone where the channel states none.'),
      }),
      Zone.meta({ title: 'time zone' }),
    ])
    .describe(
      'Which clock the cells show. `cell-offset` and `cell-abbreviation` say it themselves; `channel` is the channel’s zone in `tieout.yaml`, or the entity’s; `channelOr` is the channel’s, or this zone where the channel states none; a column may name it in words of its own.',
    ),
});
export type DateRule = z.output<typeof DateRule>;

/** Whether a zone is that of the channel, with one for channels that state none. */
export const isChannelOr = (zone: DateRule['zone']): zone is { readonly channelOr: string } =>
  typeof zone === 'object' && 'channelOr' in zone;

/** Formats of amounts and dates. */
export const Locale = z.strictObject({
  date: DateRule.describe('When the sale or refund happened.'),
  taxDate: DateRule.optional().describe(
    'The day whose law applies, where the export says it apart from the day of the record.',
  ),
  decimal: z
    .enum(['.', ','])
    .default('.')
    .describe(
      'The mark before the cents; the file’s own amounts may prove a comma. The other one stands between thousands.',
    ),
  currencySymbols: z
    .array(z.string().min(1))
    .default(['$', 'US$', 'USD'])
    .describe('What may stand beside an amount.'),
  finerAmounts: z
    .enum(['refuse', 'round'])
    .default('refuse')
    .describe(
      'Amounts of a line with more than four places, and of a record with more than two: refused, or rounded half away from zero, where `map.total` proves the record.',
    ),
  currency: TextExpression.describe(
    'The currency of the record; `{ constant: USD }` where no column says it.',
  ),
});
export type Locale = z.output<typeof Locale>;
export type MoneyForm = Pick<Locale, 'decimal' | 'currencySymbols'> & Partial<Pick<Locale, 'finerAmounts'>>;

const Key = z
  .array(Column)
  .min(1)
  .describe(
    'Columns that name a record together; the first is what people call it, such as an order number.',
  );

const Parts = z
  .boolean()
  .default(false)
  .describe(
    'The same record at another instant is a further part of it, such as a second shipment, and no duplicate.',
  );

/** How the rows of a file form records. The wrong shape counts money twice or drops it. */
export const Shape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('order-per-row').describe('One row for each order.'),
    key: Key,
    parts: Parts,
  }),
  z.strictObject({
    kind: z
      .literal('line-repeat')
      .describe('One row for each line; rows next to each other with one key are one record.'),
    key: Key,
    orderColumns: z
      .array(Column)
      .default([])
      .describe('Cells of the whole record: equal on all of its rows, or blank behind the first.'),
    summary: Column.optional().describe(
      'A first row in which this is blank, before rows in which it is not, tells of the whole record: its amounts count, and those of the other rows only where it has none.',
    ),
    name: Column.optional().describe(
      'What people call the record, where it is not the first column of the key.',
    ),
    store: Column.optional().describe(
      'Whose number it is, where an export has those of several stores or registers: equal numbers of two are refused in every place, unless they are of the same time.',
    ),
    parts: Parts,
  }),
  z.strictObject({
    kind: z
      .literal('line-blank')
      .describe(
        'One row for each line; cells of the order are blank, or repeated, on the rows after the first.',
      ),
    key: z.tuple([Column]).describe('The column that names the order.'),
    head: Column.describe('Filled on the first row of an order, and on no other.'),
    orderColumns: z.array(Column).describe('Cells of the whole record.'),
    parts: z.literal(false).default(false).describe('There are none.'),
  }),
  z.strictObject({
    kind: z
      .literal('jurisdiction')
      .describe(
        'One row for each line and tax jurisdiction. Rows next to each other with one key are one record, and so is a row whose key is blank.',
      ),
    key: Key,
    line: z.array(Column).min(1).describe('What a line cost is counted once for each value of these.'),
    oncePerLine: z
      .array(Column)
      .default([])
      .describe(
        'A row that is like an earlier one of its line in all of these is the line once more, such as a second refund of it; any other is a further jurisdiction.',
      ),
    asBefore: z
      .array(Column)
      .default([])
      .describe('Cells that are blank on a row where they are as on the row before it.'),
    parts: Parts,
  }),
]);
export type Shape = z.output<typeof Shape>;

export const PackedLines = z.strictObject({
  column: Column.describe('The column, or the numbered columns (`#` for the number).'),
  itemSplit: z.string().min(1).optional().describe('What stands between two items of one cell.'),
  fieldSplit: z
    .string()
    .min(1)
    .optional()
    .describe('What stands between two values of one item; when left out, a comma before the next label.'),
  labels: z
    .array(z.string().min(1))
    .min(1)
    .describe('The words before each value; the expressions of `map.line` use them as columns.'),
});
export type PackedLines = z.output<typeof PackedLines>;

export const PackedRefunds = PackedLines.extend({
  amount: AmountExpression.describe('What was given back; the labels are its columns.'),
  date: DateRule.describe('When.'),
});
export type PackedRefunds = z.output<typeof PackedRefunds>;

export const NumberedLines = z.record(Column, z.string().includes('#'));
export type NumberedLines = z.output<typeof NumberedLines>;
