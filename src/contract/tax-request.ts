import * as z from 'zod';
import { NexusAddress } from './on-file.ts';
import {
  Amount,
  Country,
  ENTRIES_MAX,
  OptionalAmount,
  OptionalDay,
  OptionalExemptionType,
  optional,
  optionalList,
  optionalText,
  Quantity,
  SentAddresses,
} from './scalars.ts';

/** One entry of `line_items[]` in `POST /taxes`. */
const TaxLineItem = z.object({
  id: optionalText(255),
  quantity: Quantity.nullish().transform((value) => value ?? 1),
  product_tax_code: optionalText(64),
  unit_price: OptionalAmount,
  discount: OptionalAmount,
});
export type TaxLineItem = z.output<typeof TaxLineItem>;

/**
 * The body of `POST /taxes`. Unknown keys are ignored. `calculation_date` and `explain` are Tieout's own extensions:
 * the day whose law and rates apply (today in UTC when absent), and whether to explain the result.
 */
export const TaxRequest = z
  .object({
    ...SentAddresses,
    to_country: Country,
    amount: OptionalAmount,
    shipping: Amount,
    customer_id: optionalText(255),
    exemption_type: OptionalExemptionType,
    nexus_addresses: optionalList(NexusAddress, 500),
    line_items: optionalList(TaxLineItem, ENTRIES_MAX),
    calculation_date: OptionalDay,
    explain: optional(z.boolean()),
  })
  .superRefine(({ to_country, to_zip, to_state, amount, line_items }, context) => {
    const missing = (field: string) =>
      context.addIssue({ code: 'custom', path: [field], message: 'is missing' });
    if (to_country === 'US' && to_zip === undefined) missing('to_zip');
    if ((to_country === 'US' || to_country === 'CA') && to_state === undefined) missing('to_state');
    if (amount === undefined && !line_items?.length) missing('amount');
  });
export type TaxRequestInput = z.input<typeof TaxRequest>;
export type TaxRequest = z.output<typeof TaxRequest>;
