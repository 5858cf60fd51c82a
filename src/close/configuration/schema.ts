import * as z from 'zod';
import { isTimeZone, parseDate } from '../../kernel/calendar.ts';
import { parseMoney } from '../../kernel/money.ts';
import { parsePeriod } from '../../kernel/period.ts';
import { usRegionCode } from '../../kernel/us-regions.ts';

/** The one configuration file, `tieout.yaml`. It is strict: a key it does not know is an error, not a wish. */

const Name = z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'must be lower-case letters, digits and dashes');
const DateText = z
  .string()
  .refine((text) => parseDate(text) !== undefined, 'must be a date such as 2026-10-31');
const MoneyText = z
  .string()
  .refine((text) => (parseMoney(text) ?? -1) >= 0, 'must be dollars in quotes, such as "0.05"');
const PercentText = z
  .string()
  .regex(
    /^\d{1,2}(\.\d{1,3})?$/,
    'must be a percentage in quotes, such as "0.5", with three places at the most',
  );
const SignedMoneyText = z
  .string()
  .refine((text) => parseMoney(text) !== undefined, 'must be dollars in quotes, such as "1234.50"');
const PeriodText = z
  .string()
  .refine((text) => parsePeriod(text) !== undefined, 'must be a filing period such as 2026-10 or 2026-Q4');
const UsState = z
  .string()
  .refine((text) => usRegionCode(text) === text, 'must be a two-letter postal code such as CA');

const ShipFrom = z.strictObject({
  country: z.literal('US'),
  state: UsState,
  zip: z.string().regex(/^\d{5}(-\d{4})?$/, 'must be a ZIP code in quotes'),
  city: z.string(),
  street: z.string(),
});

const PaidBefore = z.strictObject({
  period: PeriodText,
  /** What was there when the period began; what the period before left over, when left out. */
  opening: MoneyText.optional(),
  /** What came to it in the period. */
  added: MoneyText.default('0.00'),
});

const Registration = z.strictObject({
  state: UsState,
  /** First day of the duty to collect. */
  since: DateText,
  /** The account number the state gave; printed in the workbooks. */
  account: z.string().optional(),
  /** How often the state wants a return; it says so when it registers a seller, and later by notice. */
  frequency: z.enum(['monthly', 'quarterly', 'semiannual', 'annual']).default('monthly'),
  /** Which tax is paid over: the higher of collected and expected tax (the rule in most states), or one of them. */
  basis: z.enum(['greater', 'expected', 'collected']).optional(),
  /** The state's codes of places, by county or city in capitals, for returns and upload files that go by code. */
  locationCodes: z.record(z.string().regex(/^[^a-z]+$/, 'must be in capitals'), z.string()).default({}),
  /** The identity with the Streamlined system, where the seller is registered through it. */
  streamlinedId: z.string().optional(),
  /** What was paid in advance for a period, and what was left over from the one before. */
  prepayments: z.array(PaidBefore).default([]),
  /** Credits that the state granted, used from this period on. */
  credits: z.array(PaidBefore).default([]),
  /** The seller's own purchases that owe use tax, by period. */
  purchases: z.array(z.strictObject({ period: PeriodText, amount: MoneyText })).default([]),
});

/** What the shop's own dashboard shows for a period. Refunds lower gross and tax. */
const Expected = z
  .strictObject({
    period: z.string().refine((text) => parsePeriod(text) !== undefined, 'must be a period such as 2026-10'),
    orders: z.number().int().min(0).optional(),
    refunds: z.number().int().min(0).optional(),
    /** Goods and shipping, discounts taken off, without tax. */
    gross: SignedMoneyText.optional(),
    /** Sales tax that the seller charged; not what a marketplace collected. */
    tax: SignedMoneyText.optional(),
  })
  .refine(
    ({ period: _, ...figures }) => Object.values(figures).some((figure) => figure !== undefined),
    'must have orders, refunds, gross or tax to compare with',
  );

const Channel = z.strictObject({
  name: Name,
  /** A profile's id, or a YAML file of your own; without it the columns of the file decide. */
  profile: z.string().optional(),
  /** The sales exports, oldest first: files, folders, patterns such as `exports/*.csv`, archives. */
  files: z.array(z.string()).min(1),
  /** Companion files that say when refunds happened. */
  refundDates: z.array(z.string()).default([]),
  /** The source under which the service keeps the records; the channel's name when absent. */
  provider: z
    .string()
    .regex(/^[a-z]+$/, 'must be lower-case letters')
    .optional(),
  /** The zone of times that the export writes without one; the entity's when left out. */
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone such as America/Los_Angeles').optional(),
  /** The channel is a marketplace that collects and remits the tax on everything sold there. */
  marketplace: z.boolean().default(false),
  /** Places of business by the names that the export has for them. */
  locations: z.record(z.string(), ShipFrom).default({}),
  /** Totals that the shop itself shows, by period; closing that period compares them with the exports. */
  expected: z
    .array(Expected)
    .default([])
    .refine(
      (entries) => new Set(entries.map(({ period }) => period)).size === entries.length,
      'must name each period once',
    ),
});

type Named = { readonly name: string; readonly provider?: string | undefined };

/** Records of two channels under one name, or one source at the service, would overwrite each other. */
const refuseSharedNames = (channels: readonly Named[], context: z.core.$RefinementCtx): void => {
  const refuseShared = (field: 'name' | 'provider', nameOf: (channel: Named) => string): void => {
    const names = channels.map(nameOf);
    names.forEach((name, index) => {
      const first = names.indexOf(name);
      if (first === index) return;
      const message = `"${name}" is that of channels[${first}] already`;
      context.addIssue({ code: 'custom', path: [index, field], message });
    });
  };
  refuseShared('name', ({ name }) => name);
  if (new Set(channels.map(({ name }) => name)).size < channels.length) return;
  refuseShared('provider', ({ name, provider }) => provider ?? name);
};

const Acceptance = z.strictObject({
  /** A record as the source names it, such as an order number. */
  record: z.string(),
  /** The reason or finding code that is accepted for this record, such as `R06` or `bad-cell`. */
  code: z.string(),
  /** Why a person decided that it may stay. */
  why: z.string().min(3),
});

const Override = z.strictObject({
  /** A record as the source names it, such as an order number. */
  record: z.string(),
  /** The tax that a person set for it, in dollars in quotes. */
  tax: MoneyText,
  /** Why it is right; printed as the proof. */
  why: z.string().min(3),
});

export const Configuration = z.strictObject({
  /** Names folders and the account with the embedded service. */
  entity: Name,
  /** The seller's name in the workbooks. */
  name: z.string(),
  /** The zone that decides which day, and so which period, a sale belongs to. */
  timeZone: z.string().refine(isTimeZone, 'must be an IANA time zone such as America/Los_Angeles'),
  shipFrom: ShipFrom,
  registrations: z
    .array(Registration)
    .min(1)
    .refine(
      (rows) => new Set(rows.map(({ state }) => state)).size === rows.length,
      'must name each state once',
    ),
  channels: z.array(Channel).min(1).superRefine(refuseSharedNames),
  /** Product categories by SKU pattern; the first that fits decides. */
  categories: z.array(z.strictObject({ sku: z.string(), code: z.string().regex(/^\w+$/) })).default([]),
  /** Registers of exemption certificates: files, folders, patterns. Without one, exempt sales are not checked. */
  certificates: z.array(z.string()).default([]),
  service: z
    .strictObject({
      /** Base address of a remote service, ending with its version segment; embedded when left out. */
      url: z.url({ protocol: /^https?$/, error: 'must be the base address of a service' }).optional(),
      /** The environment variable that holds the key of a remote service. */
      keyVariable: z.string().default('TIEOUT_SERVICE_KEY'),
      /** Calculations that one run may ask for; unlimited when left out. It is checked before the first is asked. */
      maxCalculations: z.number().int().min(0).optional(),
      /** Requests in flight at once. */
      concurrency: z.number().int().min(1).max(256).default(16),
      /** Requests a second to a remote service, at the most; unlimited when left out. */
      requestsPerSecond: z.number().min(0.1).max(10_000).optional(),
      /** How often a request that failed in passing is sent again. */
      retries: z.number().int().min(0).max(20).default(7),
      /** How long a request may take before it counts as lost. */
      timeoutSeconds: z.number().min(1).max(600).default(60),
      /**
       * So many calls failing one after the other, and no answer for five seconds, count as an outage: the run ends
       * at once and can be resumed.
       */
      outageAfter: z.number().int().min(1).max(10_000).default(50),
      /**
       * Whether a remote service calculates as of the day of the sale. The interface does not have that; `stated`
       * believes it of the answers that name the day, and of no others.
       */
      asOf: z.enum(['stated', 'honoured', 'ignored']).default('stated'),
    })
    .prefault({}),
  databases: z
    .strictObject({
      /** The books of the embedded service. */
      ledger: z.string().default('sqlite:.tieout/ledger.db'),
      /** What the close knows so far. */
      workspace: z.string().default('sqlite:.tieout/workspace.db'),
    })
    .prefault({}),
  output: z.string().default('output'),
  /** Taxes set by hand. One explains its record (R23) where nothing else does and exactly this tax was collected. */
  overrides: z.array(Override).default([]),
  policy: z
    .strictObject({
      /** Unexplained variance up to this amount, in dollars, does not fail the close. */
      unexplained: MoneyText.default('0.00'),
      /** How many rows of Detail are drawn for an auditor. */
      sampling: z
        .strictObject({
          /** Any text; another one draws other rows. The entity and the period when left out. */
          seed: z.string().min(1).optional(),
          /** Rows from each stratum of kind and amount. */
          perStratum: z.number().int().min(0).max(1_000).default(5),
          /** Rows in proportion to their amount. */
          monetaryUnits: z.number().int().min(0).max(1_000).default(25),
        })
        .prefault({}),
      /** Whether one person may sign as preparer and as reviewer. */
      samePersonMaySign: z.boolean().default(false),
      /**
       * From where on the variance of a state counts as material: above the amount, and above the percentage of the tax
       * expected there. With neither every variance is.
       */
      materiality: z
        .strictObject({
          /** Dollars in quotes. */
          amount: MoneyText.default('0.00'),
          /** Per cent in quotes. */
          percent: PercentText.default('0'),
        })
        .prefault({}),
      /**
       * What becomes of a recorded refund whose export says something else now: `review` leaves it to a person,
       * `adjust` records a further refund over the difference.
       */
      changedRefunds: z.enum(['review', 'adjust']).default('review'),
      /**
       * What becomes of records that come late for a locked period: carried into the next open one, put into an amended
       * version of their own, or left open until somebody decides.
       */
      lateItems: z.enum(['ask', 'carry', 'amend']).default('ask'),
      /** What a person has looked at and lets stand. */
      accept: z.array(Acceptance).default([]),
    })
    .prefault({}),
});
export type Configuration = z.output<typeof Configuration>;
