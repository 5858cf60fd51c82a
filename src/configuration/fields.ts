import * as z from 'zod';
import { parseDate } from '../kernel/calendar.ts';
import { parseMoney } from '../kernel/money.ts';
import { parsePeriod } from '../kernel/period.ts';
import { isTimeZone, WANTED_ZONE } from '../kernel/time-zones.ts';
import { usRegionCode, usRegionsOfZip } from '../kernel/us-regions.ts';

/** Formats of single values in `tieout.yaml`. */

export const Name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and dashes')
  .meta({ title: 'name', examples: ['my-shop'] });
export const DateText = z
  .string()
  .refine((text) => parseDate(text) !== undefined, 'must be a date such as 2026-10-31')
  .meta({ title: 'date', examples: ['2026-10-31'] });
export const MoneyText = z
  .string()
  .refine((text) => (parseMoney(text) ?? -1) >= 0, 'must be dollars in quotes, such as "0.05"')
  .meta({ title: 'dollars', examples: ['0.05'] });
export const PercentText = z
  .string()
  .regex(
    /^\d{1,2}(\.\d{1,3})?$/,
    'must be a percentage in quotes, such as "0.5", with three places at the most',
  )
  .meta({ title: 'per cent', examples: ['0.5'] });
export const SignedMoneyText = z
  .string()
  .refine((text) => parseMoney(text) !== undefined, 'must be dollars in quotes, such as "1234.50"')
  .meta({ title: 'dollars', examples: ['1234.50'] });
export const PeriodText = z
  .string()
  .refine((text) => parsePeriod(text) !== undefined, 'must be a filing period such as 2026-10 or 2026-Q4')
  .meta({ title: 'filing period', examples: ['2026-10'] });
export const UsState = z
  .string()
  .refine((text) => usRegionCode(text) === text, 'must be a two-letter postal code such as CA')
  .meta({ title: 'state', examples: ['CA'] });

export const TimeZone = z.string().refine(isTimeZone, `must be ${WANTED_ZONE}`).meta({ title: 'time zone' });

const ZIP = /^\d{5}(-\d{4})?$/;

/** An address in the United States from which orders are sent. */
export const ShipFrom = z
  .strictObject({
    country: z.literal('US').describe('Always `US`.'),
    state: UsState.describe('The state by its postal code.'),
    zip: z
      .string()
      .regex(ZIP, 'must be a ZIP code in quotes')
      .meta({ description: 'The ZIP code, in quotes.', examples: ['95814'] }),
    city: z.string().meta({ description: 'The city.', examples: ['Sacramento'] }),
    street: z.string().meta({ description: 'The street, with its number.', examples: ['1201 K Street'] }),
  })
  .superRefine(({ state, zip }, context) => {
    const states = usRegionsOfZip(zip);
    // An invalid state or ZIP code is already reported on its own.
    if (states.includes(state) || usRegionCode(state) !== state || !ZIP.test(zip)) return;
    const lies = states.length === 0 ? 'is not in use' : `is in ${states.join(' or ')}`;
    context.addIssue({
      code: 'custom',
      path: ['zip'],
      message: `must be a ZIP code of ${state}, and ${zip} ${lies}`,
    });
  });

/** Values that may be left out, with what they mean and an example. */
export const optionalText = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });
export const optionalCount = (description: string, example: number) =>
  z
    .number()
    .int()
    .min(0)
    .optional()
    .meta({ description, examples: [example] });
export const fileList = (description: string, example: string) =>
  z
    .array(z.string())
    .default([])
    .meta({ description, examples: [[example]] });
