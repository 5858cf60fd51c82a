import * as z from 'zod';
import { Books } from './books.ts';
import { Channel, refuseSharedNames } from './channel.ts';
import { MoneyText, Name, TimeZone } from './fields.ts';
import { Policy } from './policy.ts';
import { Registration } from './registration.ts';
import { ServiceSettings } from './service-settings.ts';
import { ShipFrom } from './ship-from.ts';

const Override = z.strictObject({
  record: z
    .string()
    .meta({ description: 'A record as the source names it, such as an order number.', examples: ['D-523'] }),
  tax: MoneyText.meta({
    description: 'The tax that a person set for it, in dollars in quotes.',
    examples: ['2.20'],
  }),
  why: z
    .string()
    .min(3, 'must give the reason in three letters or more')
    .meta({
      description: 'Why it is right; printed as the proof.',
      examples: ['5.00 agreed with the customer, mail of October 9'],
    }),
});

/** The one configuration file, `tieout.yaml`. It is strict: a key it does not know is an error, not a wish. */
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
    .min(1)
    .superRefine((rows, context) => {
      const states = rows.map(({ state }) => state);
      const twice = states.find((state, index) => states.indexOf(state) !== index);
      if (twice !== undefined)
        context.addIssue({ code: 'custom', message: `must name each state once, and has ${twice} twice` });
    })
    .describe('The states in which the seller is registered: there it has to collect.'),
  channels: z
    .array(Channel)
    .min(1)
    .superRefine(refuseSharedNames)
    .describe('Where sales come from; no two share a name or a provider.'),
  categories: z
    .array(
      z.strictObject({
        sku: z
          .string()
          .meta({ description: 'A pattern of SKUs; `*` stands for anything.', examples: ['SHIRT-*'] }),
        code: z
          .string()
          .regex(/^\w+$/)
          .meta({ description: 'The product tax code.', examples: ['20010'] }),
      }),
    )
    .default([])
    .describe('Product categories by SKU pattern; the first that fits decides.'),
  buyerUse: z
    .enum(['business', 'personal'])
    .optional()
    .meta({
      description:
        'What buyers use what they buy for. Some states tax software as a service by it; left out, their full rate is taken and flagged.',
      examples: ['business'],
    }),
  certificates: z
    .array(z.string())
    .default([])
    .meta({
      description:
        'Registers of exemption certificates: files, folders, patterns. Without one, exempt sales are not checked.',
      examples: [['certificates.csv']],
    }),
  books: Books.optional().describe(
    "The seller's own ledger: filing-summary.xlsx sets the sales tax payable of the close beside it, in the sheet Roll-forward.",
  ),
  content: z
    .string()
    .optional()
    .meta({
      description:
        'The folder of the tax content; the one that comes with Tieout when left out. `--content` of a command goes before it.',
      examples: ['my-content'],
    }),
  service: ServiceSettings,
  databases: z
    .strictObject({
      ledger: z.string().default('sqlite:.tieout/ledger.db').describe('The books of the embedded service.'),
      workspace: z.string().default('sqlite:.tieout/workspace.db').describe('What the close knows so far.'),
    })
    .prefault({})
    .describe('Where state lives: `sqlite:` with a file, or a `postgres:` address.'),
  output: z.string().default('output').describe('The folder below which `<entity>/<period>/` is written.'),
  overrides: z
    .array(Override)
    .default([])
    .describe(
      'Taxes set by hand. One explains its record (R23) where nothing else does and exactly this tax was collected.',
    ),
  decisions: z
    .array(z.string())
    .default([])
    .meta({
      description:
        'What was decided: the filled-in `decisions.csv` of periods, or the sheet Decide of their `variance.xlsx`. Files, folders, patterns.',
      examples: [['decisions/2026-10.csv']],
    }),
  policy: Policy,
});
export type Configuration = z.output<typeof Configuration>;
