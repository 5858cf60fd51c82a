import * as z from 'zod';
import type { CalendarDate } from '../kernel/calendar.ts';
import { Country, optionalText, State } from './scalars.ts';

/** One region of `GET /nexus/regions`: where the account has nexus. */
export const NexusRegion = z
  .object({ country_code: z.string(), country: z.string(), region_code: z.string(), region: z.string() })
  .meta({ id: 'NexusRegion' });
export type NexusRegion = z.output<typeof NexusRegion>;

/** The body of `GET /nexus/regions`. */
export const NexusRegionsBody = z.object({ regions: z.array(NexusRegion) });

/** Whether nexus in a country belongs to a state or province, so that the country alone establishes nothing. */
export const hasStates = (country: string): boolean => country === 'US' || country === 'CA';

/** One entry of `nexus_addresses[]`: what it establishes is said by its country and, where that has states, its state. */
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

/** An address on file. A country and, where it has them, a state are what calculations need at least. */
export type AddressOnFile = {
  readonly country: string;
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  readonly city?: string | undefined;
  readonly street?: string | undefined;
};

/** A place that establishes nexus, from and to a day where it is limited; both days are included. */
export type NexusOnFile = AddressOnFile & {
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  /** Whether the seller took the one rate that the state offers to those who ship from elsewhere. */
  readonly oneRate?: boolean | undefined;
};
