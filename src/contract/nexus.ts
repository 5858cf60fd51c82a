import * as z from 'zod';
import { OptionalCountry, optionalText, State } from './scalars.ts';

/** One region of `GET /nexus/regions`: where the account has nexus. */
export const NexusRegion = z
  .object({ country_code: z.string(), country: z.string(), region_code: z.string(), region: z.string() })
  .meta({ id: 'NexusRegion' });
export type NexusRegion = z.output<typeof NexusRegion>;

/** The body of `GET /nexus/regions`. */
export const NexusRegionsBody = z.object({ regions: z.array(NexusRegion) });

/** One entry of `nexus_addresses[]`. Country and, where the country has states, state decide what it establishes. */
export const NexusAddress = z
  .object({
    id: optionalText(255),
    country: OptionalCountry,
    zip: optionalText(20),
    state: State,
    city: optionalText(255),
    street: optionalText(255),
  })
  .meta({ id: 'NexusAddress' });
export type NexusAddress = z.output<typeof NexusAddress>;
