import * as z from 'zod';
import { isTimeZone } from '../../../kernel/time-zones.ts';
import { Column, TextExpression } from './expression.ts';

const Zone = z.string().refine(isTimeZone, 'must be an IANA time zone such as America/Los_Angeles');

const DateForm = z.string().regex(/yy/, 'must have a year');

export const DateRule = z.strictObject({
  columns: z
    .array(TextExpression)
    .min(1)
    .describe('The cells of the date and, in some exports, of the time, joined by a blank.'),
  forms: z
    .array(DateForm)
    .min(1)
    .describe(
      'Tried in order. Letters: `yyyy yy MMMM MMM MM M dd d HH H hh h mm ss a`, `ZZZ` for an offset (`+0000`, `-07:00`, `Z`, `UTC`), `zzz` for the abbreviation of a US zone (`PST`). Everything else stands for itself; `(...)` is an optional part. Without hours the whole day is meant, wherever the seller is.',
    ),
  provenByFile: z
    .boolean()
    .default(false)
    .describe('The forms exclude each other, and the file’s own values must prove which of them it uses.'),
  zone: z
    .union([
      z.enum(['cell-offset', 'cell-abbreviation', 'channel']),
      z.strictObject({
        column: Column.describe('The column that names the zone.'),
        map: z.record(z.string(), Zone).describe('Its words, and the zones they mean.'),
      }),
      z.strictObject({
        channelOr: Zone.describe('The zone where the channel states none.'),
      }),
      Zone.meta({ title: 'time zone' }),
    ])
    .describe(
      'Which clock the cells show. `cell-offset` and `cell-abbreviation` say it themselves; `channel` is the channel’s zone in `tieout.yaml`, or the entity’s; `channelOr` is the channel’s, or this zone where the channel states none; a column may name it in words of its own.',
    ),
});
export type DateRule = z.output<typeof DateRule>;

/** Whether a zone is that of the channel, with one for channels that state none. */
export const isChannelOr = (zone: DateRule['zone']): zone is { readonly channelOr: string } =>
  typeof zone === 'object' && 'channelOr' in zone;

/** Formats of amounts and dates. */
export const Locale = z.strictObject({
  date: DateRule.describe('When the sale or refund happened.'),
  taxDate: DateRule.optional().describe(
    'The day whose law applies, where the export says it apart from the day of the record.',
  ),
  updated: DateRule.optional().describe(
    'When the record was last changed: of two statements of one record the later one counts.',
  ),
  decimal: z
    .enum(['.', ','])
    .default('.')
    .describe('The mark before the cents; the file’s own amounts may prove a comma.'),
  group: z
    .enum([',', '.', "'", ' '])
    .optional()
    .describe(
      'The mark between thousands; when left out, a comma where decimals have a point, and the other way round.',
    ),
  negative: z
    .array(z.enum(['minus', 'parentheses', 'trailing-minus', 'typographic-minus']))
    .default(['minus', 'parentheses', 'typographic-minus'])
    .describe('How amounts below nothing are written: `-1`, `(1)`, `1-`, and the minus of typesetting.'),
  currencySymbols: z
    .array(z.string().min(1))
    .default(['$', 'US$', 'USD'])
    .describe('What may stand beside an amount.'),
  finerAmounts: z
    .enum(['refuse', 'round'])
    .default('refuse')
    .describe(
      'Amounts of a line with more than four places, and of a record with more than two: refused, or rounded half away from zero, where `map.total` proves the record.',
    ),
  currency: TextExpression.describe(
    'The currency of the record; `{ constant: USD }` where no column says it.',
  ),
});
export type Locale = z.output<typeof Locale>;
export type MoneyForm = Pick<Locale, 'decimal' | 'group' | 'negative' | 'currencySymbols'> &
  Partial<Pick<Locale, 'finerAmounts'>>;
