import * as z from 'zod';
import type { CalendarDate } from '../kernel/calendar.ts';
import { Country, optionalText, State } from './scalars.ts';

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
