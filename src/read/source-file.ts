import { type RegisterFile, registerReader } from '../certificates/read-register.ts';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { type BalanceFile, readBalances } from '../figures/read-balances.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExportError, namingAllMissing } from '../sales/export-error.ts';
import { type FileSource, isOwnFile } from '../sales/file-source.ts';
import { eachOnce, expandFiles, type SurveyedFile, surveyFile } from '../sales/survey-file.ts';

/** A file of a channel on disk, or in an archive. */
export type SourceFile = SurveyedFile;

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

/**
 * Read the files that are configured in addition to sales exports. If one is missing, the error has the given code and
 * next step.
 *
 * @throws {TieoutError} E_EXPORT_CHANGED when one is replaced meanwhile
 */
export const readCompanionFiles = async <Read>(
  entries: readonly string[],
  resolvePath: (path: string) => string,
  missing: { readonly code: ErrorCode; readonly nextStep: string },
  read: (file: SourceFile) => Promise<Read>,
): Promise<readonly Read[]> => {
  const sources = await expandFiles(entries, resolvePath).catch((error) => {
    if (!(error instanceof ExportError) || error.code !== 'E_EXPORT_MISSING') throw error;
    const { message, details } = error;
    throw new TieoutError({ ...missing, message, details, cause: error });
  });
  const files = await surveyed(sources);
  const found: Read[] = [];
  for (const file of files) found.push(await read(file));
  await refuseChanged(files);
  return found;
};

/**
 * Read this register.
 *
 * @throws {TieoutError} E_CERTIFICATES_MISSING, E_CERTIFICATES_COLUMNS, or what any file of exports can have
 */
export const readRegister = ({
  certificates,
  resolvePath,
}: Pick<LoadedConfiguration, 'certificates' | 'resolvePath'>): Promise<readonly RegisterFile[]> => {
  const missing = {
    code: 'E_CERTIFICATES_MISSING',
    nextStep: 'Put the register of certificates there, or correct `certificates` in the configuration.',
  } as const;
  return readCompanionFiles(certificates, resolvePath, missing, registerReader());
};

/**
 * Read these balances; `undefined` if none are configured.
 *
 * @throws {TieoutError} E_LEDGER_MISSING, E_LEDGER_COLUMNS, or what any file of exports can have
 */
export const readLedger = async ({
  ledger,
  resolvePath,
}: Pick<LoadedConfiguration, 'ledger' | 'resolvePath'>): Promise<BalanceFile | undefined> => {
  const missing = {
    code: 'E_LEDGER_MISSING',
    nextStep: 'Put the file of account balances there, or correct `ledger` in the configuration.',
  } as const;
  const files = await readCompanionFiles(ledger ? [ledger] : [], resolvePath, missing, readBalances);
  return files[0];
};
