import * as z from 'zod';
import { FREQUENCIES } from '../registration.ts';
import { LAW_FIELDS, MoneyField, RateField, refuseUnsourced, StateField } from './law-row.ts';

const Tier = z.strictObject({
  /** The part of the base up to this amount; the rest when left out. */
  upTo: MoneyField.optional(),
  rate: RateField,
});

/** What a vendor may keep for filing and paying on time. Dates are those of the return's due date. */
export const DiscountRule = z
  .strictObject({
    state: StateField,
    frequencies: z.array(z.enum(FREQUENCIES)).default([...FREQUENCIES]),
    /** The part of the base that counts, as a fraction of whole numbers, such as 2/3. */
    part: z
      .strictObject({ of: z.number().int().min(1), in: z.number().int().min(1) })
      .default({ of: 1, in: 1 }),
    /** In order; each rate applies to its own part of the base. */
    tiers: z.array(Tier).min(1).max(2),
    /** The most that can be kept of one return, by how often it is filed, or of all returns of a calendar year. */
    cap: z
      .strictObject({
        perReturn: z.partialRecord(z.enum(FREQUENCIES), MoneyField).default({}),
        perYear: MoneyField.optional(),
        verified: z.literal(false).optional(),
        note: z.string().optional(),
      })
      .optional(),
    /** The least that is kept of one return, as long as the base reaches it. */
    least: MoneyField.optional(),
    /** No discount at all where the taxable amount of the period is above this. */
    taxableMax: MoneyField.optional(),
    conditions: z.array(z.string()),
    ...LAW_FIELDS,
  })
  .superRefine(refuseUnsourced);
export type DiscountRule = z.output<typeof DiscountRule>;
