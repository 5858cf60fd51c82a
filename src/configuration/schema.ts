import * as z from 'zod';
import {
  fileList,
  MoneyText,
  Name,
  optionalCount,
  optionalText,
  PercentText,
  PeriodText,
  Registration,
  ShipFrom,
  SignedMoneyText,
  TimeZone,
} from './fields.ts';

/** The tax service and the limits on requests to it. */
const ServiceSettings = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'must be the base address of a service' })
      .optional()
      .meta({
        description:
          'Base address of a remote service, ending with its version segment; embedded when left out.',
        examples: ['https://tax.example.com/v2'],
      }),
    insecure: z
      .boolean()
      .default(false)
      .describe(
        'Allow plain HTTP to another machine, which sends the key and customers’ addresses in the clear.',
      ),
    keyVariable: z
      .string()
      .default('TIEOUT_SERVICE_KEY')
      .describe(
        'The environment variable that holds the key of a remote service. With another key, of the same account too, every open month is calculated again when it is closed.',
      ),
    maxCalculations: optionalCount(
      'Calculations that one run may ask for; unlimited when left out. It is checked before the first is asked.',
      5000,
    ),
    maxQuestions: optionalCount(
      'Calculations, among those, that a close may ask for to explain variances, the largest first. When left out: one for twenty sales of the period, and at least 100; of the embedded service one a sale, and at least 1000.',
      500,
    ),
    concurrency: z.number().int().min(1).max(256).default(16).describe('Requests in flight at once.'),
    requestsPerSecond: z
      .number()
      .min(0.1)
      .max(10_000)
      .optional()
      .meta({
        description: 'Requests a second to a remote service, at the most; unlimited when left out.',
        examples: [20],
      }),
    retries: z
      .number()
      .int()
      .min(0)
      .max(20)
      .default(7)
      .describe('How often a request that failed in passing is sent again.'),
    timeoutSeconds: z
      .number()
      .min(1)
      .max(600)
      .default(60)
      .describe('How long a request may take before it counts as lost.'),
    asOf: z
      .enum(['stated', 'honoured', 'ignored'])
      .default('stated')
      .describe(
        'Whether a remote service calculates as of the day of the sale. The interface does not have that; `stated` believes it of the answers that name the day, and of no others.',
      ),
    otherProviders: z
      .array(Name.meta({ title: 'names', examples: ['api'] }))
      .default(['api'])
      .describe(
        'Sources, besides those of the channels, whose records are read back: what others recorded there for the period is reported (R20) and never touched. `api` is what the interface calls a record that names no source.',
      ),
  })
  .prefault({})
  .describe('The tax service: the embedded one, or a remote one.');

const Words = z.string().min(1).optional();

const Category = z
  .strictObject({
    sku: Words.meta({ description: 'A pattern of SKUs; `*` stands for anything.', examples: ['SHIRT-*'] }),
    name: Words.meta({
      description: 'A pattern of what the export calls the item.',
      examples: ['*gift wrap*'],
    }),
    category: Words.meta({
      description:
        'A pattern of what the channel itself calls the kind of the item, where its export has such a column (`map.line.category` of its profile).',
      examples: ['Clothing'],
    }),
    code: z
      .string()
      .regex(/^\w+$/)
      .meta({ description: 'The product tax code.', examples: ['20010'] }),
  })
  .refine(
    ({ sku, name, category }) => (sku ?? name ?? category) !== undefined,
    'must have sku, name or category; of several, all must fit',
  );

/** Standing decisions, as opposed to case-by-case ones. */
export const Policy = z
  .strictObject({
    unexplained: MoneyText.default('0.00').describe(
      'Unexplained variance up to this amount, in dollars, does not fail the close.',
    ),
    detailRows: optionalCount(
      'With more orders and refunds than this, files by state and day list them, and the sheet Detail has their sums; with more refunds, a file lists these in place of the table Refunds. 1,000,000 when left out, and at most; 500,000 refunds.',
      200_000,
    ),
    materiality: z
      .strictObject({
        amount: MoneyText.default('0.00').meta({ description: 'Dollars in quotes.', examples: ['25.00'] }),
        percent: PercentText.default('0').describe('Per cent in quotes.'),
      })
      .prefault({})
      .describe(
        'From where on the variance of a state counts as material: above the amount, and above the percentage of the tax expected there. With neither every variance is. For a difference of the roll-forward, the percentage is of the tax collected.',
      ),
    changedRefunds: z
      .enum(['review', 'adjust'])
      .default('review')
      .describe(
        'What becomes of a recorded refund whose export says something else now: `review` leaves it to a person, `adjust` records a further refund over the difference.',
      ),
    undividedRefunds: z
      .enum(['hold', 'prorate'])
      .default('hold')
      .describe(
        'What becomes of a dated refund of a part that its export does not divide: `hold` leaves it to a person, `prorate` divides it into goods, shipping and tax as its order is, with a warning.',
      ),
    lateItems: z
      .enum(['ask', 'carry', 'amend'])
      .default('ask')
      .describe(
        'What becomes of records that come late for a locked period: carried into the next open one, put into an amended version of their own, or left open until somebody decides.',
      ),
  })
  .prefault({})
  .describe('What is decided once and for all, and not case by case.');

/** Totals from the shop's own dashboard for a period. Refunds reduce gross and tax. */
const Expected = z
  .strictObject({
    period: PeriodText.describe('The filing period that the dashboard shows.'),
    orders: optionalCount('How many orders.', 315),
    refunds: optionalCount('How many refunds.', 25),
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
const Channel = z.strictObject({
  name: Name.describe('What the channel is called in the workbooks; no two share a name.'),
  profile: optionalText(
    "A profile's id, or a YAML file of your own; without it the columns of the file decide.",
    'shopify.orders',
  ),
  files: z
    .array(z.string())
    .min(1)
    .meta({
      description:
        'The sales exports, in any order: files, folders, patterns such as `exports/*.csv`, archives. What lies in a folder is sorted by what it is.',
      examples: [['exports/orders_*.csv']],
    }),
  refundDates: fileList(
    'Companion files that say when refunds happened.',
    'exports/payment_transactions_export.csv',
  ),
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

type Named = {
  readonly name: string;
  readonly provider?: string | undefined;
};

/** Reject channels that share a name, or a provider at the service: their records would overwrite each other. */
const refuseSharedNames = (channels: readonly Named[], context: z.core.$RefinementCtx): void => {
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

/** The configuration file, `tieout.yaml`. It is strict: an unknown key is an error and is not ignored. */
export const Configuration = z.strictObject({
  entity: Name.meta({
    description: 'Names folders and the account with the embedded service.',
    examples: ['harbor-and-pine'],
  }),
  name: z
    .string()
    .meta({ description: "The seller's name in the workbooks.", examples: ['Harbor & Pine Supply Co.'] }),
  timeZone: TimeZone.meta({
    description: 'The zone that decides which day, and so which period, a sale belongs to.',
    examples: ['America/Los_Angeles'],
  }),
  shipFrom: ShipFrom.describe('Where orders are sent from when the export does not say.'),
  registrations: z
    .array(Registration)
    .superRefine((rows, context) => {
      const states = rows.map(({ state }) => state);
      const twice = states.find((state, index) => states.indexOf(state) !== index);
      if (twice !== undefined)
        context.addIssue({ code: 'custom', message: `must name each state once, and has ${twice} twice` });
    })
    .describe(
      'The states in which the seller is registered: there it has to collect; `[]` where marketplaces collect all tax.',
    ),
  channels: z
    .array(Channel)
    .min(1)
    .superRefine(refuseSharedNames)
    .describe('Where sales come from; no two share a name or a provider.'),
  categories: z
    .array(Category)
    .default([])
    .superRefine((entries, context) => {
      const known = new Map<string, string>();
      for (const { code, ...said } of entries) {
        const key = JSON.stringify([said.sku, said.name, said.category]).toLowerCase();
        if (known.has(key) && known.get(key) !== code)
          context.addIssue({
            code: 'custom',
            message: `has two codes for ${key}: ${known.get(key)}, ${code}`,
          });
        known.set(key, code);
      }
    })
    .describe('Product categories; the first entry that fits an item decides.'),
  buyerUse: z
    .enum(['business', 'personal'])
    .optional()
    .meta({
      description:
        'What buyers use what they buy for. Some states tax software as a service by it; left out, their full rate is taken and flagged.',
      examples: ['business'],
    }),
  certificates: fileList(
    'Registers of exemption certificates: files, folders, patterns. Without one, no exemption is supported.',
    'certificates.csv',
  ),
  ledger: z
    .string()
    .nullish()
    .meta({
      description:
        'A CSV file with the balances of the accounts of sales tax payable by month: the sheet Roll-forward of filing-summary.xlsx compares them with the sales and the returns.',
      examples: ['balances.csv'],
    }),
  content: optionalText(
    'The folder of the tax content; the one that comes with Tieout when left out. `--content` of a command goes before it.',
    'my-content',
  ),
  service: ServiceSettings,
  databases: z
    .strictObject({
      ledger: z
        .string()
        .default('sqlite:.tieout/ledger.db')
        .describe('The service database: the records of the embedded tax service.'),
      queue: z
        .string()
        .optional()
        .describe('The PostgreSQL database that a close and its workers share; by default that of `ledger`.'),
    })
    .prefault({})
    .describe('Where state lives: `sqlite:` with a file, or a `postgres:` address.'),
  output: z.string().default('output').describe('The folder below which `<entity>/<period>/` is written.'),
  decisions: fileList(
    'What was decided: the filled-in `open-items.csv` of periods. Files, folders, patterns. Without it, `decisions.csv` beside the configuration, if there is one.',
    'decisions/2026-10.csv',
  ),
  policy: Policy,
});

export type Configuration = z.output<typeof Configuration>;
export type ChannelConfiguration = Configuration['channels'][number];
