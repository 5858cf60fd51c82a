import { type RegisterFile, registerReader } from '../certificates/read-register.ts';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { type BalanceFile, readBalances } from '../figures/read-balances.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';
import { ExportError } from '../sales/export-error.ts';
import { type FileSource, isOwnFile } from '../sales/file-source.ts';
import { expandFiles, fileState, type SurveyedFile, surveyFile } from '../sales/survey-file.ts';

/** A file of a channel on disk, or in an archive. */
export type SourceFile = SurveyedFile;

type Named = { readonly name: string } & Readonly<Record<'files' | 'refundDates', readonly string[]>>;

type ResolvePath = LoadedConfiguration['resolvePath'];

/** Returns the files of each channel. @throws {TieoutError} E_EXPORT_… when one is missing or is neither text nor a workbook */
export const channelFiles = async <Channel extends Named>(
  channels: readonly Channel[],
  resolvePath: ResolvePath,
) => {
  const found: {
    readonly channel: Channel;
    readonly sources: readonly SourceFile[];
    readonly companions: readonly SourceFile[];
  }[] = [];
  for (const channel of channels) {
    const under = async (key: 'files' | 'refundDates'): Promise<readonly SourceFile[]> => {
      const step = `Put the export there, or correct \`${key}\` of the channel ${channel.name} in the configuration.`;
      const files = await namedFiles(channel[key], resolvePath, 'E_EXPORT_MISSING', step);
      return surveyed(files.filter(({ name }) => !isOwnFile(name)));
    };
    found.push({ channel, sources: await under('files'), companions: await under('refundDates') });
  }
  return found;
};

/** Returns files that the configuration names, and says what to do when one is not there. */
const namedFiles = async (
  entries: readonly string[],
  resolvePath: ResolvePath,
  code: ErrorCode,
  nextStep: string,
): Promise<readonly FileSource[]> => {
  try {
    return await expandFiles(entries, resolvePath);
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== 'E_EXPORT_MISSING') throw error;
    const { message, details } = error;
    throw new TieoutError({ code, nextStep, message, details, cause: error });
  }
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
    if ((await fileState(file)) === file.state) continue;
    throw new TieoutError({
      code: 'E_EXPORT_CHANGED',
      message: `${file.place}: the file was changed or replaced while it was read.`,
      nextStep:
        'Wait until its download is complete, and run the command again: the file is then read again from its start.',
      details: { file: file.place },
    });
  }
};

/** Reads files that are configured in addition to sales exports. @throws {TieoutError} E_EXPORT_CHANGED, and as `namedFiles` */
const readBeside = async <Read>(
  entries: readonly string[],
  resolvePath: ResolvePath,
  code: ErrorCode,
  nextStep: string,
  read: (file: SourceFile) => Promise<Read>,
): Promise<readonly Read[]> => {
  const files = await surveyed(await namedFiles(entries, resolvePath, code, nextStep));
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
  const step = 'Put the register of certificates there, or correct `certificates` in the configuration.';
  return readBeside(certificates, resolvePath, 'E_CERTIFICATES_MISSING', step, registerReader());
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
  const step = 'Put the file of account balances there, or correct `ledger` in the configuration.';
  const entries = ledger ? [ledger] : [];
  const [file] = await readBeside(entries, resolvePath, 'E_LEDGER_MISSING', step, readBalances);
  return file;
};
