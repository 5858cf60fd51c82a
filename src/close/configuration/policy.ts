import * as z from 'zod';
import { MoneyText, PercentText } from './fields.ts';

const Acceptance = z.strictObject({
  record: z.string().meta({
    description:
      'A record as the source names it, such as an order number; or a place without a local rate and its period, as `close` names it.',
    examples: ['#5060'],
  }),
  code: z.string().meta({
    description: 'The reason or finding code that is accepted for it, such as `R06` or `bad-cell`.',
    examples: ['R06'],
  }),
  why: z
    .string()
    .min(3, 'must give the reason in three letters or more')
    .meta({
      description: 'Why a person decided that it may stay.',
      examples: ['Agreed with the customer on 2026-11-03'],
    }),
});

/** Standing decisions, as opposed to case-by-case ones. */
export const Policy = z
  .strictObject({
    unexplained: MoneyText.default('0.00').describe(
      'Unexplained variance up to this amount, in dollars, does not fail the close.',
    ),
    sampling: z
      .strictObject({
        seed: z
          .string()
          .min(1)
          .optional()
          .meta({
            description: 'Any text; another one draws other rows. The entity and the period when left out.',
            examples: ['autumn review'],
          }),
        perStratum: z
          .number()
          .int()
          .min(0)
          .max(1_000)
          .default(5)
          .describe('Rows from each stratum of kind and amount.'),
        monetaryUnits: z
          .number()
          .int()
          .min(0)
          .max(1_000)
          .default(25)
          .describe('Rows in proportion to their amount.'),
      })
      .prefault({})
      .describe('How many rows of Detail are drawn for an auditor.'),
    detailRows: z
      .number()
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'With more orders and refunds than this, files by state and day list them, and the sheet Detail has their sums; with more refunds, a file lists these in place of the sheet Refunds. 1,000,000 when left out, and at most.',
        examples: [200_000],
      }),
    samePersonMaySign: z
      .boolean()
      .default(false)
      .describe('Whether one person may sign as preparer and as reviewer.'),
    materiality: z
      .strictObject({
        amount: MoneyText.default('0.00').meta({ description: 'Dollars in quotes.', examples: ['25.00'] }),
        percent: PercentText.default('0').describe('Per cent in quotes.'),
      })
      .prefault({})
      .describe(
        'From where on the variance of a state counts as material: above the amount, and above the percentage of the tax expected there. With neither every variance is. For a difference of the roll-forward, the percentage is of the tax collected.',
      ),
    changedRefunds: z
      .enum(['review', 'adjust'])
      .default('review')
      .describe(
        'What becomes of a recorded refund whose export says something else now: `review` leaves it to a person, `adjust` records a further refund over the difference.',
      ),
    undividedRefunds: z
      .enum(['hold', 'prorate'])
      .default('hold')
      .describe(
        'What becomes of a dated refund of a part that its export does not divide: `hold` leaves it to a person, `prorate` divides it into goods, shipping and tax as its order is, with a warning.',
      ),
    lateItems: z
      .enum(['ask', 'carry', 'amend'])
      .default('ask')
      .describe(
        'What becomes of records that come late for a locked period: carried into the next open one, put into an amended version of their own, or left open until somebody decides.',
      ),
    accept: z.array(Acceptance).default([]).describe('What a person has looked at and lets stand.'),
  })
  .prefault({})
  .describe('What is decided once and for all, and not case by case.');
