import * as z from 'zod';
import { LAW_FIELDS, MoneyField, refuseUnsourced, StateField } from './law-row.ts';

export const NEXUS_WINDOWS = [
  'previous year',
  'previous or current year',
  'rolling 12 months',
  'last four quarters',
  'year to september',
] as const;

/** From which volume on a seller without any presence in a state must collect its tax. */
export const NexusRule = z
  .strictObject({
    state: StateField,
    sales: MoneyField,
    /** Number of sales that is a threshold of its own, or a second one; none when left out. */
    transactions: z.number().int().min(1).optional(),
    /** Whether one of two thresholds is enough. */
    combine: z.enum(['or', 'and']).default('or'),
    window: z.enum(NEXUS_WINDOWS),
    /** Month in which the state's quarters begin to count, for windows of quarters. */
    firstMonth: z.number().int().min(1).max(12).default(1),
    /** Which sales count: all, all but those for resale, or the taxable ones. */
    basis: z.enum(['gross', 'retail', 'taxable']),
    basisVerified: z.boolean(),
    /** Whether sales on marketplaces that collect the tax themselves count. */
    marketplace: z.boolean(),
    marketplaceVerified: z.boolean(),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type NexusRule = z.output<typeof NexusRule>;
