import * as z from 'zod';

/** Which tax service is asked, and how hard. */
export const ServiceSettings = z
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
      .describe('The environment variable that holds the key of a remote service.'),
    maxCalculations: z
      .number()
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'Calculations that one run may ask for; unlimited when left out. It is checked before the first is asked.',
        examples: [5000],
      }),
    maxQuestions: z
      .number()
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'Calculations, among those, that a close may ask for to explain variances, the largest first. When left out: one for twenty sales of the period, and at least 100.',
        examples: [500],
      }),
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
    outageAfter: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .default(50)
      .describe(
        'So many calls failing one after the other, and no answer for five seconds, count as an outage: the run ends at once and can be resumed.',
      ),
    asOf: z
      .enum(['stated', 'honoured', 'ignored'])
      .default('stated')
      .describe(
        'Whether a remote service calculates as of the day of the sale. The interface does not have that; `stated` believes it of the answers that name the day, and of no others.',
      ),
    otherProviders: z
      .array(z.string().regex(/^[a-z]+$/, 'must be lower-case letters'))
      .default(['api'])
      .describe(
        'Sources, besides those of the channels, whose records are read back: what others recorded there for the period is reported (R20) and never touched. `api` is what the interface calls a record that names no source.',
      ),
  })
  .prefault({})
  .describe('The tax service: the embedded one, or a remote one.');
