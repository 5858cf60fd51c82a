import * as z from 'zod';
import type { CalendarDate } from '../kernel/calendar.ts';
import { Country, OptionalCountry, optionalText, RequiredState, requiredText, State } from './scalars.ts';

const EXEMPT_REGIONS_MAX = 500;

/** The reasons that exempt a customer; `non_exempt` keeps one on file without exempting it. */
const CustomerExemption = z.enum(['wholesale', 'government', 'other', 'non_exempt']);

/** A region in which an exemption applies. A customer without any region is exempt everywhere. */
export const ExemptRegion = z.object({ country: Country, state: RequiredState }).meta({ id: 'ExemptRegion' });

const ExemptRegions = z
  .array(ExemptRegion)
  .max(EXEMPT_REGIONS_MAX, `must have at most ${EXEMPT_REGIONS_MAX} entries`)
  .nullish()
  .transform((regions) => regions ?? undefined);

const AddressInput = {
  country: OptionalCountry,
  state: State,
  zip: optionalText(20),
  city: optionalText(255),
  street: optionalText(255),
};

/** The body of `POST /customers`. */
export const CreateCustomer = z
  .object({
    customer_id: requiredText(255),
    exemption_type: CustomerExemption,
    name: requiredText(255),
    exempt_regions: ExemptRegions,
    ...AddressInput,
  })
  .meta({ id: 'CreateCustomer' });
export type CreateCustomerInput = z.input<typeof CreateCustomer>;
export type CreateCustomer = z.output<typeof CreateCustomer>;

/** The body of `PUT /customers/:customer_id`: only the fields that change. Regions replace the ones on file. */
export const UpdateCustomer = z
  .object({
    exemption_type: CustomerExemption.nullish().transform((type) => type ?? undefined),
    name: optionalText(255),
    exempt_regions: ExemptRegions,
    ...AddressInput,
  })
  .meta({ id: 'UpdateCustomer' });
export type UpdateCustomerInput = z.input<typeof UpdateCustomer>;

/** A customer on file. */
export const Customer = z
  .object({
    customer_id: z.string(),
    exemption_type: CustomerExemption,
    exempt_regions: z.array(z.object({ country: z.string(), state: z.string() })),
    name: z.string(),
    country: z.string().nullable(),
    state: z.string().nullable(),
    zip: z.string().nullable(),
    city: z.string().nullable(),
    street: z.string().nullable(),
  })
  .meta({ id: 'Customer' });
export type Customer = z.output<typeof Customer>;
export const CustomerBody = z.object({ customer: Customer });
export const CustomersBody = z.object({ customers: z.array(z.string()) });

/** One region of `GET /nexus/regions`, in which the account has nexus. */
export const NexusRegion = z
  .object({ country_code: z.string(), country: z.string(), region_code: z.string(), region: z.string() })
  .meta({ id: 'NexusRegion' });
export type NexusRegion = z.output<typeof NexusRegion>;

/** The body of `GET /nexus/regions`. */
export const NexusRegionsBody = z.object({ regions: z.array(NexusRegion) });

/** Whether nexus in a country is established by state or province, so that the country alone is not enough. */
export const hasStates = (country: string): boolean => country === 'US' || country === 'CA';

/** One entry of `nexus_addresses[]`: it establishes nexus in its country or, if that has states, in its state. */
export const NexusAddress = z
  .object({
    id: optionalText(255),
    country: Country,
    zip: optionalText(20),
    state: State,
    city: optionalText(255),
    street: optionalText(255),
  })
  .superRefine(({ country, state }, context) => {
    if (state !== undefined || !hasStates(country)) return;
    context.addIssue({ code: 'custom', path: ['state'], message: 'is missing' });
  })
  .meta({ id: 'NexusAddress' });
export type NexusAddress = z.output<typeof NexusAddress>;

/** An address on file. Calculations need at least a country and, if that has states, a state. */
export type AddressOnFile = {
  readonly country: string;
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  readonly city?: string | undefined;
  readonly street?: string | undefined;
};

/** A place that establishes nexus, optionally limited to the days from `from` to `to`, both included. */
export type NexusOnFile = AddressOnFile & {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  /** Whether the seller has elected the single rate that the state offers to remote sellers. */
  readonly oneRate?: boolean | undefined;
};
