import * as z from 'zod';
import { Condition } from './expression.ts';

const RemarkCode = z.string().regex(/^[a-z][a-z0-9-]+$/);

export const RecordRule = z.strictObject({
  when: z.array(Condition).min(1).describe('Tests that all hold.'),
  treat: z.enum(['order', 'refund', 'review', 'ignore', 'reject']).describe('What the record is then.'),
  as: z
    .enum(['order', 'refund'])
    .optional()
    .describe('What a record under review is, if it turns out to be right.'),
  amounts: z
    .literal('positive')
    .optional()
    .describe('Refunds whose amounts have no minus; without this they are read with the other sign.'),
  reason: RemarkCode.optional().describe(
    'The code under which a record that is not a sale is shown: one of docs/source-profiles.md, or one of your own.',
  ),
  message: z.string().optional().describe('Why, in a sentence for the reader of Exceptions.'),
  fullyRefunded: z
    .boolean()
    .optional()
    .describe('The status alone says that everything was given back, whatever the refunded amount.'),
});
export type RecordRule = z.output<typeof RecordRule>;

/** What a line is. A line that no rule fits is goods. */
export const LineRule = z.strictObject({
  when: z.array(Condition).min(1).describe('Tests that all hold.'),
  treat: z
    .enum(['gift-card', 'tip', 'shipping', 'ignore'])
    .describe(
      '`gift-card`: no sale until it is spent; `tip`: no sale at all; `shipping`: freight in a line of its own.',
    ),
});
export type LineRule = z.output<typeof LineRule>;
