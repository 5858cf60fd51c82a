import { deleteIn, lastNumber, put, rowsIn, type Said } from './queries.ts';
import { setRejectsBeside } from './set-asides.ts';
import type { SourceBlockRow, SourceLoadRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** A channel that is loaded. */
export type OwnLoading = { readonly workspace: Workspace; readonly channel: { readonly name: string } };

/** A load of it, by its number. */
export type Loading = OwnLoading & { readonly number: number };

/** The newest load of each channel, by the name of that. */
export const loadDigests = (
  workspace: Workspace,
): Promise<readonly Pick<SourceLoadRow, 'channel' | 'digest'>[]> =>
  rowsIn(workspace, 'source_load').select(['channel', 'digest']).orderBy('channel').execute();

export const loadNumbers = (
  workspace: Workspace,
): Promise<readonly Pick<SourceLoadRow, 'channel' | 'number'>[]> =>
  rowsIn(workspace, 'source_load').select(['channel', 'number']).execute();

/** The newest load of a channel; its digest is empty until it has ended. */
export const lastLoad = ({ workspace, channel }: OwnLoading) =>
  rowsIn(workspace, 'source_load')
    .select(['number', 'digest'])
    .where('channel', '=', channel.name)
    .executeTakeFirst();

/** Keep with which digest a load begins or ends. */
export const keepLoad = ({ workspace, channel, number }: Loading, digest: string): Promise<void> =>
  put(workspace, 'source_load', [{ channel: channel.name, digest, number }]);

type Zones = Omit<Said<'reading_zone'>, 'channel'>;

/** Note in which time zones a channel is read now; gives those in which it was read before. */
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

/** The blocks of the files of a channel, in the order of reading. */
export const blocksOf = ({ workspace, channel }: OwnLoading): Promise<readonly SourceBlockRow[]> =>
  rowsIn(workspace, 'source_block')
    .selectAll()
    .where('channel', '=', channel.name)
    .orderBy('file')
    .orderBy('line')
    .execute();

/** Keep blocks of a file, in the place of those of some of its lines. */
export const replaceBlocks = async (
  { workspace, channel: { name: channel } }: OwnLoading,
  file: number,
  gaps: readonly { readonly line: number; readonly end: number | undefined }[],
  blocks: readonly Omit<Said<'source_block'>, 'channel' | 'file'>[],
): Promise<void> => {
  for (const { line, end = Number.MAX_SAFE_INTEGER } of gaps)
    await deleteIn(workspace, 'source_block')
      .where('channel', '=', channel)
      .where('file', '=', file)
      .where('line', '>=', line)
      .where('line', '<', end)
      .execute();
  await put(
    workspace,
    'source_block',
    blocks.map((block) => ({ channel, file, ...block })),
  );
};

/**
 * Begin a load of a channel. What is said of its files is said again by a load that reads everything. From now on no load
 * is done: files that were read before this one are read again when they are put back. Sales and repayments stay: a record
 * that is not in the files of this load is not gone. Each attempt has a number of its own: one that was cut off does not
 * pass for a first reading.
 */
export const beginLoad = async (load: OwnLoading, readsEverything: boolean): Promise<number> => {
  const { workspace, channel } = load;
  if (readsEverything) {
    await setRejectsBeside(load);
    for (const table of ['source_file', 'source_block', 'tax_report'] as const)
      await deleteIn(workspace, table as 'source_file')
        .where('channel', '=', channel.name)
        .execute();
  }
  const number = (await lastNumber(workspace, 'source_load')) + 1;
  await keepLoad({ ...load, number }, '');
  return number;
};
