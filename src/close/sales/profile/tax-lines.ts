import * as z from 'zod';
import { AmountExpression, Column, TextExpression } from './expression.ts';
import { NumberedLines, PackedLines } from './shape.ts';

/** Where one line of tax says what it is. */
const StatedTax = z.strictObject({
  name: TextExpression.describe(
    'What the tax is called; its jurisdiction, and a rate behind it, are read from this text.',
  ),
  level: TextExpression.optional().describe(
    'The kind of jurisdiction, where it does not stand in the name: `state`, `county`, `city`, `district`, or their abbreviations.',
  ),
  amount: AmountExpression.describe('How much; a blank cell is not a line.'),
  rate: TextExpression.optional().describe('The rate, where it does not stand in the name.'),
  rateIs: z
    .enum(['fraction', 'percent'])
    .default('fraction')
    .describe('What a rate without a percent sign is: `0.0725` or `7.25`.'),
  taxable: AmountExpression.optional().describe(
    'What the rate applies to. Where the rate comes to the amount in the other unit only, it is read in that.',
  ),
});
export type StatedTax = z.output<typeof StatedTax>;

const Lines = z.array(StatedTax).min(1);

/** Where an export states the tax by jurisdiction. */
export const TaxLines = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('rows').describe('On the rows of the record; equal taxes of several rows are added up.'),
    lines: Lines.describe('The taxes that each row states.'),
  }),
  z.strictObject({
    kind: z.literal('numbered').describe('In numbered columns of the first row.'),
    columns: NumberedLines.describe(
      'The names that `lines` use, and the columns (`#` for the number), such as `Tax # Name`.',
    ),
    lines: Lines.describe('The taxes that each number states.'),
  }),
  z.strictObject({
    kind: z.literal('packed').describe('Packed into one cell of the first row.'),
    ...PackedLines.shape,
    column: Column.describe('The column.'),
    labels: PackedLines.shape.labels.describe(
      'The words before each value; the expressions of `lines` use them as columns.',
    ),
    lines: Lines.describe('The taxes that each packed item states.'),
  }),
]);
export type TaxLines = z.output<typeof TaxLines>;
