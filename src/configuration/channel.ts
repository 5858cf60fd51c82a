import * as z from 'zod';
import { Name, PeriodText, ShipFrom, SignedMoneyText, TimeZone } from './fields.ts';

/** Totals from the shop's own dashboard for a period. Refunds reduce gross and tax. */
const Expected = z
  .strictObject({
    period: PeriodText.describe('The filing period that the dashboard shows.'),
    orders: z
      .number()
      .int()
      .min(0)
      .optional()
      .meta({ description: 'How many orders.', examples: [315] }),
    refunds: z
      .number()
      .int()
      .min(0)
      .optional()
      .meta({ description: 'How many refunds.', examples: [25] }),
    gross: SignedMoneyText.optional().describe('Goods and shipping, discounts taken off, without tax.'),
    tax: SignedMoneyText.optional().describe(
      'Sales tax that the seller charged; not what a marketplace collected.',
    ),
  })
  .refine(
    ({ period: _, ...figures }) => Object.values(figures).some((figure) => figure !== undefined),
    'must have orders, refunds, gross or tax to compare with',
  );

/** A source of sales: a shop, a marketplace, a till. */
export const Channel = z.strictObject({
  name: Name.describe('What the channel is called in the workbooks; no two share a name.'),
  profile: z
    .string()
    .optional()
    .meta({
      description: "A profile's id, or a YAML file of your own; without it the columns of the file decide.",
      examples: ['shopify.orders'],
    }),
  files: z
    .array(z.string())
    .min(1)
    .meta({
      description:
        'The sales exports, in any order: files, folders, patterns such as `exports/*.csv`, archives. What lies in a folder is sorted by what it is.',
      examples: [['exports/orders_*.csv']],
    }),
  refundDates: z
    .array(z.string())
    .default([])
    .meta({
      description: 'Companion files that say when refunds happened.',
      examples: [['exports/payment_transactions_export.csv']],
    }),
  provider: Name.optional().meta({
    description:
      "The source under which the service keeps the records; the channel's name when absent. It stays as it is once records were sent.",
    examples: ['shopify'],
  }),
  timeZone: TimeZone.optional().meta({
    description:
      "The zone of times that the export writes without one; when left out, the entity's, or the usual one of an export that can be run in any zone.",
    examples: ['America/New_York'],
  }),
  numbers: z
    .enum(['restart'])
    .optional()
    .describe(
      '`restart` where the shop uses its order numbers again, such as each year: two orders of one number that were created at different times are two sales.',
    ),
  marketplace: z
    .boolean()
    .default(false)
    .describe('The channel is a marketplace that collects and remits the tax on everything sold there.'),
  locations: z
    .record(z.string(), ShipFrom)
    .default({})
    .meta({
      description: 'Places of business by the names that the export has for them.',
      examples: [
        {
          'Sacramento store': {
            country: 'US',
            state: 'CA',
            zip: '95814',
            city: 'Sacramento',
            street: '1201 K Street',
          },
        },
      ],
    }),
  pickup: z
    .array(z.string().min(1))
    .default([])
    .meta({
      description:
        "The shop's own words for a sale that the buyer picks up: whole shipping methods beside the usual ones, such as `Local pickup`.",
      examples: [['Front desk']],
    }),
  expected: z
    .array(Expected)
    .default([])
    .refine(
      (entries) => new Set(entries.map(({ period }) => period)).size === entries.length,
      'must name each period once',
    )
    .describe(
      'Totals that the shop itself shows, by period; closing that period compares them with the exports.',
    ),
});

type Named = { readonly name: string; readonly provider?: string | undefined };

/** Reject channels that share a name, or a provider at the service: their records would overwrite each other. */
export const refuseSharedNames = (channels: readonly Named[], context: z.core.$RefinementCtx): void => {
  for (const [index, channel] of channels.entries()) {
    const { name, provider = name } = channel;
    const before = channels.slice(0, index);
    const namesake = before.find((each) => each.name === name);
    const other = namesake ?? before.find((each) => (each.provider ?? each.name) === provider);
    if (!other) continue;
    const [field, value] = namesake ? ['name', name] : ['provider', provider];
    const message = `"${value}" is that of the channel ${other.name} already`;
    context.addIssue({ code: 'custom', path: [index, field], message });
  }
};
