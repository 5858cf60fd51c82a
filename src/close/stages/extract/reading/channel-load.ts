import type { zoneCalendar } from '../../../../kernel/calendar.ts';
import type { LoadedConfiguration } from '../../../configuration/load-configuration.ts';
import type { Configuration } from '../../../configuration/schema.ts';
import type { KnownProfiles } from '../../../sales/load-profiles.ts';
import type { RowOwner } from '../../../workspace/sale-rows.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { EarlierInstants } from './reading-zones.ts';
import type { RepairedRows } from './repaired-rows.ts';
import type { LeftOut } from './sort-sources.ts';
import type { SourceFile } from './source-file.ts';

export type ChannelConfiguration = Configuration['channels'][number];

/** Everything needed to read one channel. */
export type ChannelLoad = {
  readonly configuration: LoadedConfiguration;
  readonly workspace: Workspace;
  readonly channel: ChannelConfiguration;
  readonly sources: readonly SourceFile[];
  readonly companions: readonly SourceFile[];
  /** Files among them that are not exports of the channel. */
  readonly leftOut: readonly LeftOut[];
  readonly profiles: KnownProfiles;
  /** Digest of everything that decides how the channel is read, including its files. */
  readonly digest: string;
  /** The same without its files. If it changes, nothing that was read before is valid. */
  readonly basis: string;
  readonly calendar: ReturnType<typeof zoneCalendar>;
};

/** A load with the rows that reject files of the channel repair. */
export type RepairedLoad = ChannelLoad & { readonly repaired: RepairedRows };

/** A load that has begun. */
export type OpenLoad = RepairedLoad & {
  /** Its number, which distinguishes a record found twice in it from one found in an earlier load. */
  readonly number: number;
  readonly earlierInstants: EarlierInstants;
};

/** The parts of a load that its rows refer to. */
export type NumberedLoad = {
  readonly workspace: Pick<Workspace, 'entity'>;
  readonly channel: Pick<ChannelConfiguration, 'name'>;
  readonly number: number;
};

export const ownerOf = ({ workspace, channel, number }: NumberedLoad): RowOwner => ({
  entity: workspace.entity,
  channel: channel.name,
  load: number,
});
