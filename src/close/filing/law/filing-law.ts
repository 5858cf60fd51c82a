import * as z from 'zod';
import type { CalendarDate } from '../../../kernel/calendar.ts';
import { DefectError } from '../../../kernel/errors.ts';
import { type Money, ZERO } from '../../../kernel/money.ts';
import { FREQUENCIES, type Frequency, isSameName } from '../registration.ts';
import { returnKey, type StateFigures } from '../state-figures.ts';
import type { CollectorRule } from './collector-rule.ts';
import { inForce, LAW_FIELDS, MoneyField, RateField, refuseUnsourced, StateField } from './law-row.ts';
import type { ReturnForm } from './return-form.ts';

/** Everything the rooms of filing know of the states. */
export type FilingLaw = {
  readonly forms: readonly ReturnForm[];
  readonly dueDates: readonly DueDateRule[];
  readonly holidays: readonly HolidayRule[];
  readonly discounts: readonly DiscountRule[];
  readonly nexus: readonly NexusRule[];
  readonly fees: readonly FeeRule[];
  readonly collectors: readonly CollectorRule[];
};

type StateRow = { readonly state: string; readonly frequencies: readonly Frequency[] };

/** The return that a row of law is wanted for. */
export type Wanted = Pick<StateFigures, 'state' | 'kind' | 'name'>;

const rowsFor = <Row extends StateRow>(
  rows: readonly Row[],
  state: string,
  frequency: Frequency,
): readonly Row[] => rows.filter((row) => row.state === state && row.frequencies.includes(frequency));

/** The return that is wanted for a period that ends on this day; the general one of its kind where it is not mapped. */
export const formFor = (
  law: FilingLaw,
  wanted: Wanted,
  frequency: Frequency,
  periodEnd: CalendarDate,
): ReturnForm => {
  const forms = law.forms.filter(
    (form) => form.of === wanted.kind && (wanted.kind !== 'fee' || form.form === wanted.name),
  );
  const form =
    inForce(rowsFor(forms, wanted.state, frequency), periodEnd) ??
    inForce(rowsFor(forms, '*', frequency), periodEnd);
  if (!form) throw new DefectError(`there is no return for ${returnKey(wanted)}, not even the general one`);
  return form;
};

/** A fee is due on the days of the state's own return. */
export const dueDateRuleFor = (
  law: FilingLaw,
  { state, kind, name }: Wanted,
  frequency: Frequency,
  periodEnd: CalendarDate,
): DueDateRule => {
  const own = law.dueDates.filter(({ place }) =>
    kind === 'place' ? place !== undefined && isSameName(place, name) : place === undefined,
  );
  const rule =
    inForce(rowsFor(own, state, frequency), periodEnd) ??
    inForce(rowsFor(law.dueDates, '*', frequency), periodEnd);
  if (!rule) throw new DefectError(`there is no due date for ${state}, not even the general one`);
  return rule;
};

export const discountRuleFor = (
  law: FilingLaw,
  { state, kind }: Wanted,
  frequency: Frequency,
  dueDate: CalendarDate,
): DiscountRule | undefined =>
  kind === 'state' ? inForce(rowsFor(law.discounts, state, frequency), dueDate) : undefined;

const noMoney = (): Money => ZERO;

/** What a state asks for one sale whose goods are delivered. It is not tax, and in no figure of a return. */
export const FeeRule = z
  .strictObject({
    state: StateField,
    name: z.string().min(3),
    /** Dollars for a sale; left out where the amount of these days is not known. */
    amount: MoneyField.optional(),
    /** What the goods that count have to come to. */
    fromTotal: MoneyField.default(noMoney),
    /** Categories that count although the state does not tax them, and those that never do. */
    alsoCodes: z.array(z.string()).default([]),
    exceptCodes: z.array(z.string()).default([]),
    /** The words, in small letters, by which a line or a tax line of the shop is known to be the fee. */
    charged: z.array(z.string().regex(/^[^A-Z]+$/, 'must be in small letters')).min(1),
    return: z.strictObject({
      form: z.string(),
      /** Whether that is a return of its own. */
      own: z.boolean(),
      where: z.string(),
    }),
    /** Who or what does not owe it, which no export says. */
    limits: z.string(),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type FeeRule = z.output<typeof FeeRule>;

/**
 * A holiday as a rule: `12-25` a fixed day, `3 mon 1` the third Monday of January, `last mon 5` the last one of May,
 * `easter-2` Good Friday, `after 4 thu 11` the day after the fourth Thursday, `election` the Tuesday after the first
 * Monday of November in even years.
 */
const DAY = '(mon|tue|wed|thu|fri)';
const HolidayText = z
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
    rule: HolidayText,
    /** Where it is kept when it falls on a Saturday and on a Sunday. */
    saturday: z.enum(['friday', 'thursday', 'monday', 'none']).default('friday'),
    sunday: z.enum(['monday', 'friday', 'none']).default('monday'),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type HolidayRule = z.output<typeof HolidayRule>;

/** `day 20`: of the month after the period. `last day`: of that month. `after 30`: days after the period's last. */
const DueDateText = z.string().regex(/^(day ([1-9]|1\d|2\d|30|31)( of [1-9]\d?)?|last day|after \d{1,2})$/);

/** When the return of a period is due in one state, and until when money must be on its way. */
export const DueDateRule = z
  .strictObject({
    state: z.union([StateField, z.literal('*')]),
    /** The county or city whose own return it is; the state's when left out. */
    place: z.string().optional(),
    frequencies: z.array(z.enum(FREQUENCIES)).min(1),
    /** `day 5 of 2` is 5 February of the year after an annual period. */
    rule: DueDateText,
    /** Month in which the state's quarters begin to count: 1 in most, 3 where they end in February. */
    firstMonth: z.number().int().min(1).max(12).default(1),
    shift: z.strictObject({
      /** On a weekend or holiday the date moves to the next business day, or not at all. */
      to: z.enum(['next business day', 'none']),
      verified: z.literal(false).optional(),
      note: z.string().optional(),
    }),
    /** How often a place wants a return, by the average tax of a month: the first row that it reaches. */
    byMonthlyTax: z.array(z.strictObject({ from: MoneyField, frequency: z.enum(FREQUENCIES) })).default([]),
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

const Tier = z.strictObject({
  /** The part of the base up to this amount; the rest when left out. */
  upTo: MoneyField.optional(),
  rate: RateField,
});

/** What a vendor may keep for filing and paying on time. Dates are those of the return's due date. */
export const DiscountRule = z
  .strictObject({
    state: StateField,
    frequencies: z.array(z.enum(FREQUENCIES)).default([...FREQUENCIES]),
    /** The part of the base that counts, as a fraction of whole numbers, such as 2/3. */
    part: z
      .strictObject({ of: z.number().int().min(1), in: z.number().int().min(1) })
      .default({ of: 1, in: 1 }),
    /** In order; each rate applies to its own part of the base. */
    tiers: z.array(Tier).min(1).max(2),
    /** The most that can be kept of one return, by how often it is filed, or of all returns of a calendar year. */
    cap: z
      .strictObject({
        perReturn: z.partialRecord(z.enum(FREQUENCIES), MoneyField).default({}),
        perYear: MoneyField.optional(),
        verified: z.literal(false).optional(),
        note: z.string().optional(),
      })
      .optional(),
    /** The least that is kept of one return, as long as the base reaches it. */
    least: MoneyField.optional(),
    /** No discount at all where the taxable amount of the period is above this. */
    taxableMax: MoneyField.optional(),
    conditions: z.array(z.string()),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type DiscountRule = z.output<typeof DiscountRule>;

const NEXUS_WINDOWS = [
  'previous year',
  'previous or current year',
  'rolling 12 months',
  'last four quarters',
  'year to september',
] as const;

/** From which volume on a seller without any presence in a state must collect its tax. */
export const NexusRule = z
  .strictObject({
    state: StateField,
    sales: MoneyField,
    /** Number of sales that is a threshold of its own, or a second one; none when left out. */
    transactions: z.number().int().min(1).optional(),
    /** Whether one of two thresholds is enough. */
    combine: z.enum(['or', 'and']).default('or'),
    window: z.enum(NEXUS_WINDOWS),
    /** Month in which the state's quarters begin to count, for windows of quarters. */
    firstMonth: z.number().int().min(1).max(12).default(1),
    /** Which sales count: all, all but those for resale, or the taxable ones. */
    basis: z.enum(['gross', 'retail', 'taxable']),
    basisVerified: z.boolean(),
    /** Whether sales on marketplaces that collect the tax themselves count. */
    marketplace: z.boolean(),
    marketplaceVerified: z.boolean(),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type NexusRule = z.output<typeof NexusRule>;
