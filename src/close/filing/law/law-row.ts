import * as z from 'zod';
import { type CalendarDate, calendarDate, parseDate } from '../../../kernel/calendar.ts';
import { type Money, parseMoney } from '../../../kernel/money.ts';
import { parseRate, type Rate } from '../../../kernel/rate.ts';
import { usRegionCode } from '../../../kernel/us-regions.ts';

export const DateField = z
  .string()
  .refine((text) => parseDate(text) !== undefined, 'must be a date such as 2026-10-31')
  .transform((text): CalendarDate => calendarDate(text));

export const MoneyField = z.string().transform((text, context): Money => {
  const amount = parseMoney(text);
  if (amount !== undefined && amount >= 0) return amount;
  context.issues.push({ code: 'custom', message: 'must be dollars, such as "30.00"', input: text });
  return z.NEVER;
});

export const RateField = z.string().transform((text, context): Rate => {
  const value = parseRate(text);
  if (value !== undefined && value >= 0) return value;
  context.issues.push({ code: 'custom', message: 'must be a fraction, such as "0.025"', input: text });
  return z.NEVER;
});

export const StateField = z
  .string()
  .refine((text) => usRegionCode(text) === text, 'must be a two-letter postal code');

/** Where a fact was seen. */
export const Source = z.strictObject({ title: z.string().min(3), url: z.url().optional() });
export type Source = z.output<typeof Source>;

/**
 * What every row of law has: the days it holds (both included; open when left out), where it was seen, and when
 * somebody last held it against that source. `false` means that no source was seen: it is said wherever it is used.
 */
export const LAW_FIELDS = {
  from: DateField.optional(),
  to: DateField.optional(),
  verified: z.union([DateField, z.literal(false)]),
  sources: z.array(Source).default([]),
  note: z.string().optional(),
};

export type LawRow = Readonly<z.output<z.ZodObject<typeof LAW_FIELDS>>>;

/** A row that claims to be verified must say where. */
export const refuseUnsourced = (row: LawRow, context: z.core.$RefinementCtx): void => {
  if (row.verified !== false && row.sources.length === 0) {
    context.addIssue({ code: 'custom', path: ['sources'], message: 'must name where the fact was seen' });
  }
};

export const isInForce = ({ from, to }: LawRow, date: CalendarDate): boolean =>
  (from === undefined || from <= date) && (to === undefined || date <= to);

/** The row in force on a day; where several are, the one that began last. */
export const inForce = <Row extends LawRow>(rows: readonly Row[], date: CalendarDate): Row | undefined => {
  let found: Row | undefined;
  for (const row of rows) {
    if (isInForce(row, date) && (found === undefined || (row.from ?? '') > (found.from ?? ''))) found = row;
  }
  return found;
};

/** `Form DR-15N (https://...), FTA table of 2023`, for a column that says where a fact comes from. */
export const sourceText = (sources: readonly Source[]): string =>
  sources.map(({ title, url }) => (url === undefined ? title : `${title} (${url})`)).join('; ');
