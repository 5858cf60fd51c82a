import * as z from 'zod';
import type { CalendarDate } from '../kernel/calendar.ts';
import {
  Country,
  type Decoded,
  OptionalCountry,
  optional,
  optionalList,
  optionalText,
  RequiredState,
  requiredText,
  State,
} from './scalars.ts';

/** The reasons that exempt a customer; `non_exempt` keeps one on file without exempting it. */
const CustomerExemption = z.enum(['wholesale', 'government', 'other', 'non_exempt']);

/** A region in which an exemption applies. A customer without any region is exempt everywhere. */
const ExemptRegion = z.object({ country: Country, state: RequiredState });

const Address = {
  country: OptionalCountry,
  state: State,
  zip: optionalText(20),
  city: optionalText(255),
  street: optionalText(255),
};

/** The body of `POST /customers`. */
export const CreateCustomer = z.object({
  customer_id: requiredText(255),
  exemption_type: CustomerExemption,
  name: requiredText(255),
  exempt_regions: optionalList(ExemptRegion, 500),
  ...Address,
});
export type CreateCustomerInput = z.input<typeof CreateCustomer>;

/** The body of `PUT /customers/:customer_id`: only the fields that change. Regions replace the ones on file. */
export const UpdateCustomer = CreateCustomer.omit({ customer_id: true }).extend({
  exemption_type: optional(CustomerExemption),
  name: optionalText(255),
});
export type UpdateCustomerInput = z.input<typeof UpdateCustomer>;

export type AddressPart = keyof typeof Address;

/** A customer on file. */
export type Customer = { readonly [Part in AddressPart]: string | null } & {
  readonly customer_id: string;
  readonly exemption_type: z.output<typeof CustomerExemption>;
  readonly exempt_regions: readonly z.output<typeof ExemptRegion>[];
  readonly name: string;
};

/** One region of `GET /nexus/regions`, in which the account has nexus. */
export const NexusRegion = z.object({
  country_code: z.string(),
  country: z.string(),
  region_code: z.string(),
  region: z.string(),
});
export type NexusRegion = z.output<typeof NexusRegion>;

/** Whether nexus in a country is established by state or province, so that the country alone is not enough. */
export const hasStates = (country: string): boolean => country === 'US' || country === 'CA';

/** One entry of `nexus_addresses[]`: it establishes nexus in its country or, if that has states, in its state. */
export const NexusAddress = z
  .object({ id: optionalText(255), ...Address, country: Country })
  .superRefine(({ country, state }, context) => {
    if (state !== undefined || !hasStates(country)) return;
    context.addIssue({ code: 'custom', path: ['state'], message: 'is missing' });
  });

/** An address on file. Calculations need at least a country and, if that has states, a state. */
export type AddressOnFile = Omit<Decoded<typeof NexusAddress>, 'id'>;

/** A place that establishes nexus, optionally limited to the days from `from` to `to`, both included. */
export type NexusOnFile = AddressOnFile & {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  /** Whether the seller has elected the single rate that the state offers to remote sellers. */
  readonly oneRate?: boolean | undefined;
};
