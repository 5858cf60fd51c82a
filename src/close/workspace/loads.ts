import { deleteIn, lastNumber, put, rowsIn, type Said } from './queries.ts';
import { setRejectsBeside } from './set-asides.ts';
import type { SourceLoadRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** The name under which files and loads are stored that do not belong to any channel. */
export const NO_CHANNEL = '';

/** A channel that is being loaded. */
export type OwnLoading = { readonly workspace: Workspace; readonly channel: { readonly name: string } };

/** A load of the channel, by number. */
export type Loading = OwnLoading & { readonly number: number };

/** Returns the newest load of each channel, ordered by channel. */
export const loadDigests = (
  workspace: Workspace,
): Promise<readonly Pick<SourceLoadRow, 'channel' | 'digest'>[]> =>
  rowsIn(workspace, 'source_load').select(['channel', 'digest']).orderBy('channel').execute();

export const loadNumbers = (
  workspace: Workspace,
): Promise<readonly Pick<SourceLoadRow, 'channel' | 'number'>[]> =>
  rowsIn(workspace, 'source_load').select(['channel', 'number']).execute();

/** Returns the newest load of a channel. Its digest is empty until the load has ended. */
export const lastLoad = ({ workspace, channel }: OwnLoading) =>
  rowsIn(workspace, 'source_load')
    .select(['number', 'digest'])
    .where('channel', '=', channel.name)
    .executeTakeFirst();

/** Store the digest with which a load begins or ends. */
export const keepLoad = ({ workspace, channel, number }: Loading, digest: string): Promise<void> =>
  put(workspace, 'source_load', [{ channel: channel.name, digest, number }]);

/**
 * Delete what is stored about the files of all other channels, which were renamed or removed. Their rejected records would
 * stay open, because no load finds them again.
 */
export const forgetChannelsBut = async (workspace: Workspace, channels: readonly string[]): Promise<void> => {
  const kept = [...channels, NO_CHANNEL];
  if ((await loadDigests(workspace)).every(({ channel }) => kept.includes(channel))) return;
  await workspace.together(async (within) => {
    for (const table of ['set_aside', 'source_file', 'source_load', 'tax_report'] as const)
      await deleteIn(within, table as 'source_file')
        .where('channel', 'not in', kept)
        .execute();
  });
};

type Zones = Omit<Said<'reading_zone'>, 'channel'>;

/** Record the time zones in which a channel is now read. Returns those in which it was read before. */
export const noteZones = async (
  { workspace, channel: { name: channel } }: OwnLoading,
  now: Zones,
): Promise<readonly Zones[]> => {
  const noted = await rowsIn(workspace, 'reading_zone')
    .select(['time_zone', 'channel_zone'])
    .where('channel', '=', channel)
    .execute();
  await put(workspace, 'reading_zone', [{ channel, ...now }]);
  return noted;
};

/**
 * Begin a load of a channel. It first removes what earlier loads stored about the files. The
 * empty digest marks the load as unfinished, so that files that were read before are read again when they are put back.
 * Sales and repayments stay, because a record that is missing from the files of this load has not been removed. Each
 * attempt has its own number, so that an interrupted one is not mistaken for a first reading.
 */
export const beginLoad = async (load: OwnLoading): Promise<number> => {
  const { workspace, channel } = load;
  const number = (await lastNumber(workspace, 'source_load')) + 1;
  await setRejectsBeside({ ...load, number });
  for (const table of ['source_file', 'tax_report'] as const)
    await deleteIn(workspace, table as 'source_file')
      .where('channel', '=', channel.name)
      .execute();
  await keepLoad({ ...load, number }, '');
  return number;
};
