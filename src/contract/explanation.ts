import * as z from 'zod';

/**
 * Why a calculation came out as it did: Tieout's own extension of the interface, answered only when a request says
 * `explain: true`. Rates and dates are text here, because an explanation is read, not calculated with.
 */
export const Explanation = z
  .object({
    /** The day whose law and rates were applied. */
    as_of: z.string(),
    /** Name and version of the tax content. */
    content: z.string(),
    /** What established nexus: `nexus_addresses`, `account`, `from_address`, or `none`. */
    nexus: z.string(),
    /** How exactly the place was known: address, zip4, zip5-unique, zip5-shared, state, country. */
    precision: z.string().optional(),
    /** Every jurisdiction that levied something, or could have. */
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
          /** The line item it decided about; `shipping`; or `order`. */
          unit: z.string(),
          rule: z.string(),
          outcome: z.string(),
          source: z.string(),
          confidence: z.string(),
        }),
      )
      .optional(),
    /** What a careful person should know: law that is doubtful or not known, place shared by counties, and so on. */
    flags: z.array(z.string()),
    /**
     * Fees that the sale owes where it is delivered. They are not tax and in no other figure of the result; the amount is
     * null where it is not known.
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
     * Where law is doubtful the likelier side was applied: the lines it was applied to, the tax of the order, and what
     * that would be if the other side held.
     */
    doubts: z
      .array(
        z.object({ units: z.array(z.string()), why: z.string(), tax: z.string(), otherwise: z.string() }),
      )
      .optional(),
  })
  .meta({ id: 'Explanation' });
export type Explanation = z.output<typeof Explanation>;
