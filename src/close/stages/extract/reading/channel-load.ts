import type { zoneCalendar } from '../../../../kernel/calendar.ts';
import type { LoadedConfiguration } from '../../../configuration/load-configuration.ts';
import type { Configuration } from '../../../configuration/schema.ts';
import type { KnownProfiles } from '../../../sales/load-profiles.ts';
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
