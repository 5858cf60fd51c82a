import * as z from 'zod';
import { isTimeZone } from '../../../kernel/calendar.ts';
import { Column, TextExpression } from './expression.ts';

const Zone = z.string().refine(isTimeZone, 'must be an IANA time zone such as America/Los_Angeles');

/**
 * Forms of date cells, in these letters: `yyyy yy MMMM MMM MM M dd d HH H hh h mm ss a`, `ZZZ` for an offset
 * (`+0000`, `-07:00`, `Z`, `UTC`) and `zzz` for the abbreviation of a US zone (`PST`, `PDT`). Everything else stands
 * for itself; `(...)` is an optional part. A form without hours means the whole day, wherever the seller is.
 */
const DateForm = z.string().regex(/yy/, 'must have a year');

export const DateRule = z.strictObject({
  /** The cells of the date and, in some exports, of the time, joined by a blank. */
  columns: z.array(TextExpression).min(1),
  /** Tried in order. */
  forms: z.array(DateForm).min(1),
  /** `true`: the forms exclude each other, and the file's own values must prove which of them it uses. */
  provenByFile: z.boolean().default(false),
  /**
   * Which clock the cells show: `cell-offset` and `cell-abbreviation` say it themselves, `channel` is the channel's
   * zone in the configuration (the entity's when it has none), a column may name it in words of its own.
   */
  zone: z.union([
    z.enum(['cell-offset', 'cell-abbreviation', 'channel']),
    z.strictObject({ column: Column, map: z.record(z.string(), Zone) }),
    Zone,
  ]),
});
export type DateRule = z.output<typeof DateRule>;

/** How amounts and dates are written. */
export const Locale = z.strictObject({
  date: DateRule,
  /** The day whose law applies, where the source says it apart from the day of the record. */
  taxDate: DateRule.optional(),
  decimal: z.enum(['.', ',']).default('.'),
  /** The mark between thousands; a comma where decimals have a point, and the other way round, when left out. */
  group: z.enum([',', '.', "'", ' ']).optional(),
  /** `-1`, `(1)`, `1-`, and the minus of typesetting. */
  negative: z
    .array(z.enum(['minus', 'parentheses', 'trailing-minus', 'typographic-minus']))
    .default(['minus', 'parentheses', 'typographic-minus']),
  currencySymbols: z.array(z.string().min(1)).default(['$', 'US$', 'USD']),
  currency: TextExpression,
});
export type Locale = z.output<typeof Locale>;
export type MoneyForm = Pick<Locale, 'decimal' | 'group' | 'negative' | 'currencySymbols'>;
