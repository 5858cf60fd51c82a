import * as z from 'zod';
import { Condition } from './expression.ts';

const RemarkCode = z.string().regex(/^[a-z][a-z0-9-]+$/);

/**
 * What a record is, told by its first row. The first rule whose conditions all hold decides; a record that no rule
 * fits is rejected.
 */
export const RecordRule = z.strictObject({
  when: z.array(Condition).min(1),
  treat: z.enum(['order', 'refund', 'review', 'ignore', 'reject']),
  /** What a record under review is, if it turns out to be right. */
  as: z.enum(['order', 'refund']).optional(),
  reason: RemarkCode.optional(),
  message: z.string().optional(),
  /** `true`: the status alone says that everything was given back, whatever the refunded amount. */
  fullyRefunded: z.boolean().optional(),
});
export type RecordRule = z.output<typeof RecordRule>;

/** What a line is. A line that no rule fits is goods. */
export const LineRule = z.strictObject({
  when: z.array(Condition).min(1),
  /** `gift-card`: sold, but no sale until it is spent; `tip`: no sale at all; `shipping`: freight in a line of its own. */
  treat: z.enum(['gift-card', 'tip', 'shipping', 'ignore']),
});
export type LineRule = z.output<typeof LineRule>;
