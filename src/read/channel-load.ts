import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { Configuration } from '../close/configuration/schema.ts';
import type { KnownProfiles } from '../close/sales/load-profiles.ts';
import type { zoneCalendar } from '../kernel/time-zones.ts';
import type { RepairedRows } from './repaired-rows.ts';

export type ChannelConfiguration = Configuration['channels'][number];

/** What one channel is read with. */
export type ChannelLoad = {
  readonly configuration: LoadedConfiguration;
  readonly channel: ChannelConfiguration;
  readonly profiles: KnownProfiles;
  readonly calendar: ReturnType<typeof zoneCalendar>;
  /** The rows that reject files of the channel repair. */
  readonly repaired: RepairedRows;
};
