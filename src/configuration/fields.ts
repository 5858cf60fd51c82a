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

const PaidBefore = z.strictObject({
  period: PeriodText.describe(
    'The filing period that the amounts belong to, or a part of it, such as a month of a quarter.',
  ),
  opening: MoneyText.optional().meta({
    description:
      'What was there when the period of the return began; what the period before left over, when left out.',
    examples: ['1500.00'],
  }),
  added: MoneyText.default('0.00').meta({
    description: 'What came to it in the period.',
    examples: ['250.00'],
  }),
});

const COLLECTS = ['own', 'with-state'] as const;

const Frequency = z.enum(['monthly', 'quarterly', 'semiannual', 'annual']);
/** How often returns are filed: always the same, or by the day on which each value begins. */
const Frequencies = z.union([
  Frequency,
  z
    .array(z.strictObject({ from: DateText, value: Frequency }))
    .min(1)
    .refine(
      (rows) => rows.every(({ from }, index) => index === 0 || (rows[index - 1]?.from ?? '') < from),
      'must name each day once, the earliest first',
    ),
]);
type Frequencies = z.infer<typeof Frequencies>;

/** Returns how often returns are filed on a day. The earliest value counts before its day, too. */
export const frequencyOn = (frequency: Frequencies, day: string): z.infer<typeof Frequency> =>
  typeof frequency === 'string'
    ? frequency
    : ((frequency.findLast(({ from }) => from <= day) ?? frequency[0])?.value ?? 'monthly');

const LocalReturn = z.strictObject({
  place: z
    .string()
    .trim()
    .min(1)
    .meta({
      description:
        'The county or city, as the workbooks name it. `Mobile County` is the county alone where a city has its name.',
      examples: ['Denver'],
    }),
  localTax: z
    .enum(COLLECTS)
    .default('own')
    .describe('`own`: it gets a return of its own. `with-state`: the return of the state has its tax.'),
  account: optionalText('The account number that it gave.', '302551'),
  frequency: Frequency.optional().describe(
    'How often it wants a return; as often as the state when left out.',
  ),
});

/** An account of a state. No two of its rows may say the same amount twice: they are of periods without a day in common. */
const Paid = z.array(PaidBefore).superRefine((rows, context) => {
  const periods = rows.map((row) => parsePeriod(row.period));
  for (const [index, period] of periods.entries()) {
    const other = periods
      .slice(0, index)
      .find((each) => each && period && period.first <= each.last && each.first <= period.last);
    const message = `must not overlap with ${other?.label}: state each amount once, for the period of the return or for a part of it`;
    if (other) context.addIssue({ code: 'custom', path: [index, 'period'], message });
  }
});

/** A state in which the seller is registered. */
export const Registration = z.strictObject({
  state: UsState.describe('The state by its postal code; each stands here once.'),
  since: DateText.meta({
    description: 'First day on which you have to collect tax there, as the permit has it.',
    examples: ['2019-04-01'],
  }),
  account: optionalText('The account number the state gave; printed in the workbooks.', '102-334455'),
  frequency: Frequencies.default('monthly').meta({
    description:
      'How often the state wants a return; it says so when it registers a seller, and later by notice. A change is a list of values, each with the first day of its first return: periods follow the value of their days, and what is locked keeps the one with which it was closed.',
    examples: [
      [
        { from: '2026-01-01', value: 'monthly' },
        { from: '2026-07-01', value: 'quarterly' },
      ],
    ],
  }),
  basis: z
    .enum(['greater', 'expected', 'collected'])
    .optional()
    .describe(
      'Which tax is paid over: the higher of the tax collected and the tax that the form computes of what was due (the rule in most states), or one of them; `expected` is what the form computes.',
    ),
  localTax: z
    .enum(COLLECTS)
    .optional()
    .describe(
      'Who gets the tax of counties and cities that can collect it themselves: `own`, a return for each of them, or `with-state`, the return of the state. What the law says, when left out: `docs/returns.md`.',
    ),
  oneRate: z
    .boolean()
    .optional()
    .describe(
      'Whether you collect the one rate that the state lets sellers elect who ship from elsewhere, in place of its local rates: 8 % in all in Alabama (SSUT), 1.75 % beside the state’s in Texas.',
    ),
  localReturns: z
    .array(LocalReturn)
    .default([])
    .refine(
      (rows) => new Set(rows.map(({ place }) => place.toUpperCase())).size === rows.length,
      'must name each place once',
    )
    .describe('The same for single counties and cities, with the account that they gave.'),
  deliveryFee: z
    .union([z.literal('none'), MoneyText])
    .optional()
    .meta({
      description:
        'For states with a fee for delivered sales: `none` for a seller who is too small to owe it, or the dollars for a sale where Tieout does not know them.',
      examples: ['none'],
    }),
  locationCodes: z
    .record(z.string().regex(/^[^a-z]+$/, 'must be in capitals'), z.string())
    .default({})
    .meta({
      description:
        "The state's codes of places, by county or city in capitals, for returns and upload files that go by code. A county is `EL PASO COUNTY`, or its name alone; a city never takes the code of its county.",
      examples: [{ DENVER: '160001' }],
    }),
  prepayments: Paid.default([]).describe(
    'What was paid in advance for a period, and what was left over from the one before.',
  ),
  credits: Paid.default([]).describe('Credits that the state granted, used from this period on.'),
  purchases: z
    .array(
      z.strictObject({
        period: PeriodText.describe('The filing period of the purchases.'),
        amount: MoneyText.meta({ description: 'What they cost, without tax.', examples: ['310.00'] }),
      }),
    )
    .default([])
    .describe("The seller's own purchases that owe use tax, by period."),
});
