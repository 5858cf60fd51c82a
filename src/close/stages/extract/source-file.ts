import { ExportError } from '../../sales/export-error.ts';
import { expandFiles } from '../../sales/files/expand-files.ts';
import { namingAllMissing } from '../../sales/files/file-errors.ts';
import type { FileSource } from '../../sales/files/open-bytes.ts';
import { type SurveyedFile, surveyFile } from '../../sales/files/survey-file.ts';

/** A file of a channel as it stands on disk, or in an archive. */
export type SourceFile = SurveyedFile;

/** The files that entries of the configuration mean, each looked at once, in the order of reading. */
export const sourceFiles = async (
  entries: readonly string[],
  resolvePath: (path: string) => string,
): Promise<readonly SourceFile[]> => surveyed(await expandFiles(entries, resolvePath));

type Named = { readonly files: readonly string[]; readonly refundDates: readonly string[] };

/** The same of channels, one after the other; nothing is read while a file of any of them is missing. */
export async function* channelFiles<Channel extends Named>(
  channels: readonly Channel[],
  resolvePath: (path: string) => string,
): AsyncGenerator<{
  readonly channel: Channel;
  readonly sources: readonly SourceFile[];
  readonly companions: readonly SourceFile[];
}> {
  const found = await namingAllMissing(
    channels.flatMap(({ files, refundDates }) => [
      { key: 'files', entries: files },
      { key: 'refundDates', entries: refundDates },
    ]),
    ({ key, entries }) =>
      expandFiles(entries, resolvePath).catch((error: unknown) => Promise.reject(advisedOf(key, error))),
  );
  for (const [index, channel] of channels.entries())
    yield {
      channel,
      sources: await surveyed(found[index * 2] ?? []),
      companions: await surveyed(found[index * 2 + 1] ?? []),
    };
}

/** The advice names the key of the configuration that the file stands under. */
const advisedOf = (key: string, error: unknown): unknown => {
  if (!(error instanceof ExportError) || error.code !== 'E_EXPORT_MISSING') return error;
  const file = String(error.details['file']);
  const said = error.message.slice(file.length + 2).replace(/[.]$/, '');
  const nextStep = error.nextStep.replace('`files`', `\`${key}\``);
  return new ExportError('E_EXPORT_MISSING', file, said, nextStep, error);
};

/** One after the other: each is read from end to end, which keeps a disk busy. */
const surveyed = async (sources: readonly FileSource[]): Promise<readonly SourceFile[]> => {
  const files: SourceFile[] = [];
  for (const source of sources) files.push(await surveyFile(source));
  return files;
};
