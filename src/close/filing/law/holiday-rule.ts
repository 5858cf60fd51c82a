import * as z from 'zod';
import { LAW_FIELDS, refuseUnsourced } from './law-row.ts';

/**
 * A holiday as a rule: `12-25` a fixed day, `3 mon 1` the third Monday of January, `last mon 5` the last one of May,
 * `easter-2` Good Friday, `after 4 thu 11` the day after the fourth Thursday, `election` the Tuesday after the first
 * Monday of November in even years.
 */
const DAY = '(mon|tue|wed|thu|fri)';
const Rule = z
  .string()
  .regex(
    new RegExp(`^(\\d{2}-\\d{2}|easter-\\d|election|(after )?([1-4]|last) ${DAY} ([1-9]|1[0-2]))$`),
    'must be a holiday rule such as 12-25, 3 mon 1 or last mon 5',
  );

export const HolidayRule = z
  .strictObject({
    /** `federal`, or the postal code of a state. */
    set: z.string(),
    name: z.string(),
    rule: Rule,
    /** Where it is kept when it falls on a Saturday and on a Sunday. */
    saturday: z.enum(['friday', 'thursday', 'monday', 'none']).default('friday'),
    sunday: z.enum(['monday', 'friday', 'none']).default('monday'),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type HolidayRule = z.output<typeof HolidayRule>;
