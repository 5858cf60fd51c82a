import * as z from 'zod';
import { type CalendarDate, calendarDate, parseDate } from '../kernel/calendar.ts';
import { type Money, parseMoney, parseRate, type Rate, ZERO } from '../kernel/money.ts';
import { usRegionCode } from '../kernel/us-regions.ts';

export const DateField = z
  .string()
  .refine((text) => parseDate(text) !== undefined, 'must be a date such as 2026-10-31')
  .transform((text): CalendarDate => calendarDate(text));

/** A number that is not negative, as text: a binary fraction is not exact. */
const decimalField = <Value extends number>(parse: (text: string) => Value | undefined, message: string) =>
  z.string().transform((text, context): Value => {
    const value = parse(text);
    if (value !== undefined && value >= 0) return value;
    context.issues.push({ code: 'custom', message, input: text });
    return z.NEVER;
  });

export const MoneyField = decimalField<Money>(parseMoney, 'must be dollars, such as "30.00"');
export const RateField = decimalField<Rate>(parseRate, 'must be a fraction, such as "0.025"');

export const StateField = z
  .string()
  .refine((text) => usRegionCode(text) === text, 'must be a two-letter postal code');

/** The source of a fact. */
export const Source = z.strictObject({ title: z.string().min(3), url: z.url().optional() });
export type Source = z.output<typeof Source>;

/**
 * The fields of every row of law: its effective dates (both inclusive; open if omitted), its sources, and the day on
 * which it was last verified against them. `false` means that it was never verified, which is shown wherever the row is
 * used.
 */
export const LAW_FIELDS = {
  from: DateField.optional(),
  to: DateField.optional(),
  verified: z.union([DateField, z.literal(false)]),
  sources: z.array(Source).default([]),
  note: z.string().optional(),
};

export type LawRow = Readonly<z.output<z.ZodObject<typeof LAW_FIELDS>>>;

/** Returns the schema of a row of law with these fields. One that claims to be verified must name its sources. */
export const lawRow = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject({ ...fields, ...LAW_FIELDS }).superRefine((row, context) => {
    const { verified, sources } = row as LawRow;
    if (verified !== false && sources.length === 0)
      context.addIssue({ code: 'custom', path: ['sources'], message: 'must name where the fact was seen' });
  });

export const isInForce = ({ from, to }: LawRow, date: CalendarDate): boolean =>
  (from === undefined || from <= date) && (to === undefined || date <= to);

/** Returns the row in force on a day; if there are several, the one that began last. */
export const inForce = <Row extends LawRow>(rows: readonly Row[], date: CalendarDate): Row | undefined => {
  let found: Row | undefined;
  for (const row of rows) {
    if (isInForce(row, date) && (found === undefined || (row.from ?? '') > (found.from ?? ''))) found = row;
  }
  return found;
};

/** Names the documents alone: the rows of the law have the addresses and what each of them shows. */
export const sourceNames = (sources: readonly Source[]): string =>
  [...new Set(sources.map(({ title }) => title.split(/[:;]/)[0]?.trim()))].join('; ');

/** A fee that a state charges on delivered sales. It is not tax, and no figure of a return includes it. */
export const FeeRule = lawRow({
  state: StateField,
  name: z.string().min(3),
  /** Dollars per sale; omitted if the amount for these days is not known. */
  amount: MoneyField.optional(),
  /** The minimum total of the goods that count. */
  fromTotal: MoneyField.default((): Money => ZERO),
  /** Categories that count even though the state does not tax them, and categories that never count. */
  alsoCodes: z.array(z.string()).default([]),
  exceptCodes: z.array(z.string()).default([]),
  /** Words, in lower case, that identify the fee in a line or a tax line of the shop. */
  charged: z.array(z.string().regex(/^[^A-Z]+$/, 'must be in small letters')).min(1),
  return: z.strictObject({
    form: z.string(),
    /** Whether the fee has a return of its own. */
    own: z.boolean(),
    where: z.string(),
  }),
  /** Exemptions from the fee that no export shows. */
  limits: z.string(),
});
export type FeeRule = z.output<typeof FeeRule>;

/** Whether a line of an order or of tax has the name of a fee. */
export const isFee = ({ charged }: Pick<FeeRule, 'charged'>, name: string): boolean => {
  const words = name.toLowerCase();
  return charged.some((text) => words.includes(text));
};
