import { stat } from 'node:fs/promises';
import { zoneCalendar } from '../../kernel/calendar.ts';
import { digestOf } from '../../kernel/digest.ts';
import type { StageResult } from '../../runtime/pipeline.ts';
import { sha256OfFile } from '../../runtime/publish-folder.ts';
import type { Configuration } from '../configuration/schema.ts';
import { ExportError } from '../sales/export-error.ts';
import { shippedProfiles } from '../sales/shipped-profiles.ts';
import type { SourceFileRow } from '../workspace/tables.ts';
import type { Advanced, ClosePorts } from './close-ports.ts';
import { loadChannel } from './load-channel.ts';

export type ChannelConfiguration = Configuration['channels'][number];

/** A file of a channel as it stands on disk. */
export type SourceFile = {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
};

/**
 * Bring every sale of every configured export into the workspace. A channel whose files, profile and settings are
 * what they were costs one look at its files; otherwise it is read again from the start, and each record finds its
 * own row by its key.
 */
export const extractSales = async (
  { configuration, workspace }: ClosePorts,
  advanced: Advanced,
): Promise<StageResult<readonly SourceFileRow[]>> => {
  let loaded = 0;
  for (const channel of configuration.channels) {
    const sources = await Promise.all(
      channel.files.map((file) => sourceFile(file, configuration.resolvePath(file))),
    );
    const companions = await Promise.all(
      channel.refundDates.map((file) => sourceFile(file, configuration.resolvePath(file))),
    );
    const digest = loadDigest(configuration, channel, [...sources, ...companions]);
    const known = await workspace.tables
      .selectFrom('source_load')
      .select('digest')
      .where('entity', '=', workspace.entity)
      .where('channel', '=', channel.name)
      .executeTakeFirst();
    if (known?.digest === digest) continue;
    loaded += 1;
    await loadChannel(
      {
        configuration,
        workspace,
        channel,
        sources,
        companions,
        load: digest,
        calendar: zoneCalendar(configuration.timeZone),
      },
      advanced,
    );
  }
  const files = await workspace.tables
    .selectFrom('source_file')
    .selectAll()
    .where('entity', '=', workspace.entity)
    .orderBy('channel')
    .orderBy('path')
    .execute();
  return { value: files, summary: summaryOf(files, loaded) };
};

const summaryOf = (files: readonly SourceFileRow[], loaded: number): string => {
  if (loaded === 0) return 'nothing new in the exports';
  const total = (pick: (file: SourceFileRow) => number) =>
    files.reduce((running, file) => running + pick(file), 0);
  return `${total((file) => file.rows)} rows: ${total((file) => file.used)} used, ${total((file) => file.ignored)} ignored, ${total((file) => file.rejected)} rejected`;
};

const sourceFile = async (name: string, path: string): Promise<SourceFile> => {
  try {
    const { size } = await stat(path);
    return { name, path, bytes: size, sha256: await sha256OfFile(path) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw new ExportError(
        'E_EXPORT_MISSING',
        path,
        'there is no such file',
        'Put the export there, or correct `files` of the channel in the configuration',
        error,
      );
    }
    if (code === 'EISDIR' || code === 'EACCES') {
      throw new ExportError(
        'E_EXPORT_UNREADABLE',
        path,
        `it cannot be read (${code})`,
        'Name a file that this user may read',
        error,
      );
    }
    throw error;
  }
};

/** What decides how the rows of a channel are read: its bytes, the profiles, and the settings that matter to them. */
const loadDigest = (
  configuration: Configuration,
  channel: ChannelConfiguration,
  files: readonly SourceFile[],
): string =>
  digestOf({
    files: files.map(({ name, sha256 }) => ({ name, sha256 })),
    companions: channel.refundDates,
    profile: channel.profile ?? null,
    profiles: shippedProfiles().map((profile) => `${profile.id}@${profile.version}`),
    timeZone: configuration.timeZone,
    shipFrom: configuration.shipFrom,
    categories: configuration.categories,
  });
