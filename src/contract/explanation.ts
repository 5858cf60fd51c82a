import * as z from 'zod';

/**
 * The reasons for the result of a calculation: Tieout's own extension of the interface, included only when a request
 * has `explain: true`. Rates and dates are text here, because an explanation is for reading, not for calculating.
 */
export const Explanation = z
  .object({
    /** The day whose law and rates were applied. */
    as_of: z.string(),
    /** Name and version of the tax content. */
    content: z.string(),
    /** The source of nexus: `nexus_addresses`, `account`, `from_address`, or `none`. */
    nexus: z.string(),
    /** The precision of the place: address, zip4, zip5-unique, zip5-shared, state, country. */
    precision: z.string().optional(),
    /** Every jurisdiction that levied a tax, or could have. */
    jurisdictions: z
      .array(
        z.object({
          level: z.string(),
          name: z.string(),
          code: z.string(),
          rate: z.string(),
          from: z.string().nullable(),
          source: z.string(),
          confidence: z.string(),
        }),
      )
      .optional(),
    /** Every rule row that decided something, in the order of decision. */
    rules: z
      .array(
        z.object({
          /** The line item that the rule decided; `shipping`; or `order`. */
          unit: z.string(),
          rule: z.string(),
          outcome: z.string(),
          source: z.string(),
          confidence: z.string(),
        }),
      )
      .optional(),
    /** Points to check: law that is doubtful or unknown, a place shared by counties, and so on. */
    flags: z.array(z.string()),
    /**
     * Fees that the sale owes at its destination. They are not tax, and not part of any other figure of the result; the
     * amount is null when it is unknown.
     */
    fees: z
      .array(
        z.object({
          name: z.string(),
          amount: z.string().nullable(),
          note: z.string(),
          source: z.string(),
          confidence: z.string(),
        }),
      )
      .optional(),
    /**
     * Doubtful law, of which the more likely reading was applied: the lines it was applied to, the reason, the tax of
     * the order, and that tax under the other reading.
     */
    doubts: z
      .array(
        z.object({ units: z.array(z.string()), why: z.string(), tax: z.string(), otherwise: z.string() }),
      )
      .optional(),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.output<typeof Explanation>;
