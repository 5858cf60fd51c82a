import * as z from 'zod';
import { NexusAddress } from './on-file.ts';
import {
  Amount,
  Country,
  Day,
  ENTRIES_MAX,
  OptionalCountry,
  OptionalExemptionType,
  optionalText,
  State,
} from './scalars.ts';

/** Maximum line items of a request. */
export const LINE_ITEMS_MAX = ENTRIES_MAX;
export const NEXUS_ADDRESSES_MAX = 500;

const QUANTITY_MAX = 1_000_000_000;

export const isQuantity = (value: number): boolean =>
  Number.isSafeInteger(value) && value >= 0 && value <= QUANTITY_MAX;

/** A whole number from zero up, sent as a number or as digits. */
export const Quantity = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,10}$/, 'must be a whole number')
      .transform(Number),
  ])
  .refine(isQuantity, 'must be a whole number');

/** One entry of `line_items[]` in `POST /taxes`. */
export const TaxLineItem = z
  .object({
    id: optionalText(255),
    quantity: Quantity.nullish().transform((value) => value ?? 1),
    product_tax_code: optionalText(64),
    unit_price: Amount.nullish().transform((value) => value ?? undefined),
    discount: Amount.nullish().transform((value) => value ?? undefined),
  })
  .meta({ id: 'TaxLineItem' });
export type TaxLineItem = z.output<typeof TaxLineItem>;

/**
 * The body of `POST /taxes`. Unknown keys are ignored. `calculation_date` and `explain` are Tieout's own extensions:
 * the day whose law and rates apply (today in UTC when absent), and whether to explain the result.
 */
export const TaxRequest = z
  .object({
    from_country: OptionalCountry,
    from_zip: optionalText(20),
    from_state: State,
    from_city: optionalText(255),
    from_street: optionalText(255),
    to_country: Country,
    to_zip: optionalText(20),
    to_state: State,
    to_city: optionalText(255),
    to_street: optionalText(255),
    amount: Amount.nullish().transform((value) => value ?? undefined),
    shipping: Amount,
    customer_id: optionalText(255),
    exemption_type: OptionalExemptionType,
    nexus_addresses: z
      .array(NexusAddress)
      .max(NEXUS_ADDRESSES_MAX, `must have at most ${NEXUS_ADDRESSES_MAX} entries`)
      .nullish()
      .transform((value) => value ?? undefined),
    line_items: z
      .array(TaxLineItem)
      .max(LINE_ITEMS_MAX, `must have at most ${LINE_ITEMS_MAX} entries`)
      .nullish()
      .transform((value) => value ?? undefined),
    calculation_date: Day.nullish().transform((value) => value ?? undefined),
    explain: z
      .boolean()
      .nullish()
      .transform((value) => value ?? undefined),
  })
  .superRefine((request, context) => {
    const missing = (field: string) =>
      context.addIssue({ code: 'custom', path: [field], message: 'is missing' });
    const needsState = request.to_country === 'US' || request.to_country === 'CA';
    if (request.to_country === 'US' && request.to_zip === undefined) missing('to_zip');
    if (needsState && request.to_state === undefined) missing('to_state');
    if (request.amount === undefined && !request.line_items?.length) missing('amount');
  })
  .meta({ id: 'TaxRequest' });
export type TaxRequestInput = z.input<typeof TaxRequest>;
export type TaxRequest = z.output<typeof TaxRequest>;
