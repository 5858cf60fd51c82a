import * as z from 'zod';
import { FREQUENCIES } from '../registration.ts';
import { LAW_FIELDS, refuseUnsourced, StateField } from './law-row.ts';

/** `day 20`: of the month after the period. `last day`: of that month. `after 30`: days after the period's last. */
const Rule = z.string().regex(/^(day ([1-9]|1\d|2\d|30|31)( of [1-9]\d?)?|last day|after \d{1,2})$/);

/** When the return of a period is due in one state, and until when money must be on its way. */
export const DueDateRule = z
  .strictObject({
    state: z.union([StateField, z.literal('*')]),
    /** The county or city whose own return it is; the state's when left out. */
    place: z.string().optional(),
    frequencies: z.array(z.enum(FREQUENCIES)).min(1),
    /** `day 5 of 2` is 5 February of the year after an annual period. */
    rule: Rule,
    /** Month in which the state's quarters begin to count: 1 in most, 3 where they end in February. */
    firstMonth: z.number().int().min(1).max(12).default(1),
    shift: z.strictObject({
      /** On a weekend or holiday the date moves to the next business day, or not at all. */
      to: z.enum(['next business day', 'none']),
      verified: z.literal(false).optional(),
      note: z.string().optional(),
    }),
    /** Sets of holidays that move the date, besides the federal ones. */
    holidays: z.array(z.string()).default([]),
    /** An electronic payment counts as made in time only when started before this. */
    cutoff: z
      .strictObject({
        day: z.enum([
          'due date',
          'business day before',
          'business day before statutory',
          'last business day',
        ]),
        time: z.string().regex(/^\d{2}:\d{2}$/),
        zone: z.string(),
        what: z.string(),
      })
      .optional(),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type DueDateRule = z.output<typeof DueDateRule>;
