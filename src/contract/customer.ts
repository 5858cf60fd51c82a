import * as z from 'zod';
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
