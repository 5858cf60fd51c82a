import * as z from 'zod';
import { lawRow, MoneyField, RateField, StateField } from './law-row.ts';
import { FREQUENCIES } from './registration.ts';

/** The codes by which a state's returns name places, as its lists have them. Rows without a code are reported. */
export const CodeRule = lawRow({
  state: StateField,
  /** By name of the place, in capitals. */
  codes: z.record(z.string(), z.string()),
});
export type CodeRule = z.output<typeof CodeRule>;

/** The day from which a state has marketplaces collect the tax of what is sold on them. */
export const FacilitatorRule = lawRow({ state: StateField });
export type FacilitatorRule = z.output<typeof FacilitatorRule>;

/**
 * A holiday as a rule: `12-25` is a fixed day, `3 mon 1` the third Monday of January, `last mon 5` the last Monday of
 * May, `after 4 thu 11` the day after the fourth Thursday of November, `election` the Tuesday after the first Monday of
 * November in even years.
 */
const DAY = '(mon|tue|wed|thu|fri)';
const HolidayText = z
  .string()
  .regex(
    new RegExp(`^(\\d{2}-\\d{2}|election|(after )?([1-4]|last) ${DAY} ([1-9]|1[0-2]))$`),
    'must be a holiday rule such as 12-25, 3 mon 1 or last mon 5',
  );

export const HolidayRule = lawRow({
  /** `federal`, or the postal code of a state. */
  set: z.string(),
  name: z.string(),
  rule: HolidayText,
  /** The day of observance when the holiday falls on a Saturday or a Sunday. */
  saturday: z.enum(['friday', 'none']).default('friday'),
  sunday: z.enum(['monday', 'friday']).default('monday'),
});
export type HolidayRule = z.output<typeof HolidayRule>;

/**
 * `day 20` is in the month after the period, `last day` the last of that month, `after 30` 30 days after the period.
 */
const DueDateText = z
  .string()
  .regex(/^(day ([1-9]|1\d|2\d|30|31)( of [1-9]\d?)?|last day|after \d{1,2})$/)
  .transform(
    (
      text,
    ): {
      readonly after?: number;
      readonly day?: number;
      readonly month?: number;
    } => {
      const [first = 0, second] = (text.match(/\d+/g) ?? []).map(Number);
      if (text.startsWith('after')) return { after: first };
      return { ...(first > 0 && { day: first }), ...(second !== undefined && { month: second }) };
    },
  );

/** The due date of a period's return in one state, and the latest time to start the payment. */
export const DueDateRule = lawRow({
  state: z.union([StateField, z.literal('*')]),
  /** The county or city whose own return it is; omitted for the state's return. */
  place: z.string().optional(),
  frequencies: z.array(z.enum(FREQUENCIES)).min(1),
  /** `day 5 of 2` is 5 February of the year after an annual period. */
  rule: DueDateText,
  /** Month in which the state's quarters start to count: 1 in most states, 3 where quarters end in February. */
  firstMonth: z.number().int().min(1).max(12).default(1),
  shift: z.strictObject({
    /** On a weekend or holiday, the date moves to the next business day, or not at all. */
    to: z.enum(['next business day', 'none']),
    /** Whether the law of the state keeps a federal holiday that is a Saturday on the Friday before. */
    federalFridays: z.boolean().default(false),
    verified: z.literal(false).optional(),
    note: z.string().optional(),
  }),
  /** Sets of holidays that move the date, besides the federal ones. */
  holidays: z.array(z.string()).default([]),
  /** An electronic payment is on time only if it was started before this time. */
  cutoff: z
    .strictObject({
      day: z.enum(['due date', 'business day before', 'business day before statutory', 'last business day']),
      time: z.string().regex(/^\d{2}:\d{2}$/),
      zone: z.string(),
      what: z.string(),
    })
    .optional(),
});
export type DueDateRule = z.output<typeof DueDateRule>;

const Tier = z.strictObject({
  /** The end of the tier, an amount of the base; omitted for the rest of the base. */
  upTo: MoneyField.optional(),
  rate: RateField,
});

/** The discount that a vendor may keep for filing and paying on time. Rows are effective by the return's due date. */
export const DiscountRule = lawRow({
  state: StateField,
  frequencies: z.array(z.enum(FREQUENCIES)).default([...FREQUENCIES]),
  /** The part of the base that counts, as a fraction of whole numbers, such as 2/3. */
  part: z
    .strictObject({ of: z.number().int().min(1), in: z.number().int().min(1) })
    .default({ of: 1, in: 1 }),
  /** The tiers in order; each rate applies only to its own part of the base. */
  tiers: z.array(Tier).min(1).max(2),
  /** Maximum discount per return, by filing frequency. A cap by the year is divided among its returns. */
  cap: z
    .strictObject({
      perReturn: z.partialRecord(z.enum(FREQUENCIES), MoneyField).default({}),
      verified: z.literal(false).optional(),
      note: z.string().optional(),
    })
    .optional(),
  /** Minimum discount per return, as long as the counted part of the base reaches it. */
  least: MoneyField.optional(),
  /** Largest taxable amount of a period for which there is a discount. */
  taxableMax: MoneyField.optional(),
  conditions: z.array(z.string()),
});
export type DiscountRule = z.output<typeof DiscountRule>;

const NEXUS_WINDOWS = [
  'previous year',
  'previous or current year',
  'rolling 12 months',
  'last four quarters',
  'year to september',
] as const;

/** The volume of sales from which a seller without physical presence in a state must collect its tax. */
export const NexusRule = lawRow({
  state: StateField,
  sales: MoneyField,
  /** Number of sales that is a threshold of its own, or a second condition; omitted if the state has none. */
  transactions: z.number().int().min(1).optional(),
  /** Whether either threshold is enough, or both are needed. */
  combine: z.enum(['or', 'and']).default('or'),
  window: z.enum(NEXUS_WINDOWS),
  /** Month in which the state's quarters start to count, for windows of quarters. */
  firstMonth: z.number().int().min(1).max(12).default(1),
  /** The sales that count: all, all except sales for resale, or only taxable ones. */
  basis: z.enum(['gross', 'retail', 'taxable']),
  basisVerified: z.boolean(),
  /** Whether sales on marketplaces that collect the tax themselves count. */
  marketplace: z.boolean(),
  marketplaceVerified: z.boolean(),
});
export type NexusRule = z.output<typeof NexusRule>;
