import { ExportError } from '../close/sales/export-error.ts';
import { eachOnce, expandFiles } from '../close/sales/files/expand-files.ts';
import { namingAllMissing } from '../close/sales/files/file-errors.ts';
import { isOwnFile } from '../close/sales/files/hidden-files.ts';
import type { FileSource } from '../close/sales/files/open-bytes.ts';
import { type SurveyedFile, surveyFile } from '../close/sales/files/survey-file.ts';
import { TieoutError } from '../kernel/errors.ts';

/** A file of a channel on disk, or in an archive. */
export type SourceFile = SurveyedFile;

/** Returns the files that configuration entries refer to, in reading order, each surveyed once. */
export const sourceFiles = async (
  entries: readonly string[],
  resolvePath: (path: string) => string,
): Promise<readonly SourceFile[]> => surveyed(await expandFiles(entries, resolvePath));

const KEYS = ['files', 'refundDates'] as const;

type Named = { readonly name: string } & { readonly [Key in (typeof KEYS)[number]]: readonly string[] };

/** Yields the files of each channel. It first checks that no file of any channel is missing. */
export async function* channelFiles<Channel extends Named>(
  channels: readonly Channel[],
  resolvePath: (path: string) => string,
): AsyncGenerator<{
  readonly channel: Channel;
  readonly sources: readonly SourceFile[];
  readonly companions: readonly SourceFile[];
}> {
  const named = channels.flatMap((channel) =>
    KEYS.flatMap((key) => channel[key].map((entry) => ({ channel, key, entry }))),
  );
  const found = await namingAllMissing(named, async (place) => ({
    ...place,
    sources: (
      await expandFiles([place.entry], resolvePath).catch((error) => Promise.reject(advised(place, error)))
    ).filter(({ name }) => !isOwnFile(name)),
  }));
  for (const channel of channels) {
    const under = (key: (typeof KEYS)[number]) =>
      surveyed(
        eachOnce(found.flatMap((one) => (one.channel === channel && one.key === key ? one.sources : []))),
      );
    yield { channel, sources: await under('files'), companions: await under('refundDates') };
  }
}

/** Returns an error whose advice names the channel and the configuration key of the file. */
const advised = (
  { channel, key }: { readonly channel: Named; readonly key: string },
  error: unknown,
): unknown => {
  if (!(error instanceof ExportError) || error.code !== 'E_EXPORT_MISSING') return error;
  const file = String(error.details['file']);
  const said = error.message.slice(file.length + 2).replace(/[.]$/, '');
  const nextStep = `Put the export there, or correct \`${key}\` of the channel ${channel.name} in the configuration.`;
  return new ExportError('E_EXPORT_MISSING', file, said, nextStep, error);
};

/** One after the other: each file is read completely, which keeps a disk busy. */
const surveyed = async (sources: readonly FileSource[]): Promise<readonly SourceFile[]> => {
  const files: SourceFile[] = [];
  for (const source of sources) files.push(await surveyFile(source));
  return files;
};

/**
 * Refuse files that are not as they were surveyed: part of what was read may be of another version, which the digest
 * would not name. Called after reading, before anything is marked as read.
 *
 * @throws {TieoutError} E_EXPORT_CHANGED
 */
export const refuseChanged = async (files: readonly SourceFile[]): Promise<void> => {
  for (const file of files) {
    if ((await surveyFile(file)).sha256 === file.sha256) continue;
    throw new TieoutError({
      code: 'E_EXPORT_CHANGED',
      message: `${file.place}: the file was changed or replaced while it was read.`,
      nextStep:
        'Wait until its download is complete, and run the command again: the file is then read again from its start.',
      details: { file: file.place },
    });
  }
};
