import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { detectProfile } from '../close/sales/detect-profile.ts';
import { draftCommand } from '../close/sales/draft/draft-command.ts';
import { expandFiles } from '../close/sales/files/expand-files.ts';
import { surveyFile } from '../close/sales/files/survey-file.ts';
import { knownProfiles } from '../close/sales/load-profiles.ts';
import { designedError, ExitCode, exitCodeOf, type TieoutError } from '../kernel/errors.ts';
import type { Severity } from '../kernel/finding.ts';
import { shownNumber } from '../kernel/text.ts';
import { readRegister } from '../read/extract-certificates.ts';
import { readLedger } from '../read/extract-ledger.ts';
import { tablesNoneReads } from '../read/unread-tables.ts';
import type { FailedTrial, Trial } from '../setup/try-exports.ts';
import type { CommandIo } from './io.ts';

type Channel = LoadedConfiguration['channels'][number];

/** Reads the exports of a channel; `undefined` if they are too large to examine. */
export type TriedExports = (channel: Channel) => Promise<readonly (Trial | FailedTrial)[] | undefined>;

/** Size limit: files are read twice, here and by the close, so larger ones are left to the close, and to `plan`. */
const READ_BYTES_MAX = 64 * 1024 * 1024;

/** Reads the exports of each channel once and caches the result. */
export const triedExports = (io: CommandIo, configuration: LoadedConfiguration): TriedExports => {
  const { channels, resolvePath } = configuration;
  const tried = new Map<Channel, Promise<readonly (Trial | FailedTrial)[]>>();
  let bytes: Promise<number> | undefined;
  return async (channel) => {
    bytes ??= bytesOf(
      channels.flatMap(({ files }) => files),
      resolvePath,
    );
    if ((await bytes) > READ_BYTES_MAX) return undefined;
    const trials =
      tried.get(channel) ??
      io.tryExports({ configuration, channel }, [...channel.files, ...channel.refundDates]);
    tried.set(channel, trials);
    return trials;
  };
};

type ResolvePath = LoadedConfiguration['resolvePath'];

/** Whether the files of an entry are too large to examine. */
export const isTooLarge = async (entry: string, resolvePath: ResolvePath): Promise<boolean> =>
  (await bytesOf([entry], resolvePath)) > READ_BYTES_MAX;

const bytesOf = async (entries: readonly string[], resolvePath: ResolvePath): Promise<number> => {
  const files = await expandFiles(entries, resolvePath).catch(() => []);
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path).catch(() => null))?.size));
  return sizes.reduce<number>((total, size) => total + (size ?? 0), 0);
};

/** Checks that every export of a channel can be read; for large exports, that each is of a known kind. */
export const exportsOf = async (
  { resolvePath }: LoadedConfiguration,
  channel: Channel,
  tried: TriedExports,
): Promise<readonly Diagnosis[]> => {
  const { profiles, wanted } = knownProfiles(channel.profile, resolvePath);
  const isKind = (name: string, { id, version }: { readonly id: string; readonly version: number }) =>
    well('exports', `${channel.name}: ${name} is ${id}@${version}`);
  const trials = await tried(channel);
  if (trials)
    return trials.map((trial) =>
      'error' in trial
        ? illOf('exports', trial.error)
        : (unusable(channel, trial) ??
          doubtfulIn(channel, trial) ??
          isKind(trial.file.name, trial.detected.profile)),
    );
  const entries = [...channel.files, ...channel.refundDates];
  const looks = entries.map((entry) =>
    examined('exports', async () => {
      const lines: Diagnosis[] = [];
      for (const file of await expandFiles([entry], resolvePath)) {
        const name = channel.files.includes(entry) ? wanted : undefined;
        lines.push(isKind(file.name, (await detectProfile(await surveyFile(file), profiles, name)).profile));
      }
      return lines;
    }),
  );
  return (await Promise.all(looks)).flat();
};

/** Reports a file whose rows are all rejected: it is useless even if its columns are known. */
const unusable = ({ name }: Channel, { file, tally, setAsides }: Trial): Diagnosis | undefined => {
  if (tally.used > 0 || tally.rejected === 0) return undefined;
  const [first] = setAsides;
  const said = `${name}: ${file.name}: none of ${shownNumber(tally.rows, 'row')} can be used: ${first?.reason.message}`;
  const step = `Export the file again; \`tieout profile test ${file.name}\` shows what is wrong with it.`;
  return ill('exports', said, step, ExitCode.badInput);
};

/** Notices to show before a close: the rest of the file is missing, or its time zone differs. */
const DOUBTFUL = new Set(['cut-off', 'time-zone-differs']);

const doubtfulIn = ({ name }: Channel, { file, detected }: Trial): Diagnosis | undefined => {
  const said = detected.notices.filter(({ code }) => DOUBTFUL.has(code)).map(({ message }) => message);
  return said.length === 0 ? undefined : doubtful('exports', `${name}: ${file.name}: ${said.join('; ')}`);
};

/** Lists tables next to the exports that no entity of the configuration names, each with a remark. */
export const unreadTables = async (
  entities: readonly LoadedConfiguration[],
): Promise<readonly Diagnosis[]> => {
  const { surveyFolder } = await import('../setup/survey-folder.ts');
  const tables = new Map<string, { readonly place: string; readonly file: string }>();
  for (const entity of entities)
    for (const place of await tablesNoneReads(entity))
      tables.set(entity.resolvePath(place), { place, file: join(dirname(entity.file), place) });
  const found: Diagnosis[] = [];
  for (const [folder, unread] of Map.groupBy(tables, ([path]) => dirname(path))) {
    const { strange } = await surveyFolder(folder, () => {});
    for (const [path, { place, file }] of unread) {
      const why = strange.find(({ entry }) => join(folder, entry) === path);
      const step = `If it holds sales, repair it, or describe it: \`${draftCommand(file)}\`, then answer each DECIDE and name the draft in a channel (docs/first-books.md). If not, move it to another folder.`;
      if (why?.what === 'other-spreadsheet') {
        found.push(
          doubtful('exports', `${place} is not read: ${why.said}. If it has sales, save it as XLSX or CSV`),
        );
        continue;
      }
      found.push(
        why
          ? ill('exports', `${place} is not read: ${why.said}`, step, ExitCode.badInput)
          : doubtful('exports', `${place} is not read: the configuration does not name it`),
      );
    }
  }
  return found;
};

/** Says what the decision files have, which were read with the configuration, or why they cannot be read. */
export const decisionsRead = ({
  decisions,
  decided,
  undecided,
}: LoadedConfiguration): readonly Diagnosis[] => {
  if (undecided) return [illOf('decisions', undecided)];
  if (decisions.length === 0) return [];
  const count = shownNumber(decided.decisions.length, 'decision');
  return [well('decisions', `${decisions.join(', ')}: ${count}`)];
};

/** Reads each configured register of certificates as a close does. */
export const registersOf = (configuration: LoadedConfiguration): readonly Examination[] =>
  configuration.certificates.map(
    (entry) => () =>
      examined('certificates', async () => {
        if (await isTooLarge(entry, configuration.resolvePath)) return [left('certificates', entry)];
        const files = await readRegister({ ...configuration, certificates: [entry] });
        return files.map(
          (file) =>
            problemsIn('certificates', file) ??
            well('certificates', `${file.path}: ${shownNumber(file.used, 'certificate')}`),
        );
      }),
  );

/** Reads the configured balances of the accounts of sales tax payable as a close does. */
export const balancesOf = (configuration: LoadedConfiguration): readonly Examination[] => {
  const { ledger } = configuration;
  if (!ledger) return [];
  return [
    () =>
      examined('balances', async () => {
        if (await isTooLarge(ledger, configuration.resolvePath)) return [left('balances', ledger)];
        const file = await readLedger(configuration);
        if (!file) return [];
        const problems = file.problems.map((problem) => ({ ...problem, severity: 'error' as const }));
        const found = problemsIn('balances', { path: file.path, problems });
        return [found ?? well('balances', `${file.path}: ${shownNumber(file.balances.length, 'row')}`)];
      }),
  ];
};

const left = (what: string, entry: string): Diagnosis =>
  well(what, `${entry} is there; it is large, so only a close reads it`);

type ReadFile = {
  readonly path: string;
  readonly problems: readonly {
    readonly severity: Severity;
    readonly origin: { readonly line: number };
    readonly message: string;
  }[];
};

/** Warns of what a close would list as exceptions of the file; it stops no close. */
const problemsIn = (what: string, { path, problems }: ReadFile): Diagnosis | undefined => {
  const [first, ...others] = problems.filter(({ severity }) => severity !== 'notice');
  if (!first) return undefined;
  const { line } = first.origin;
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  return doubtful(what, `${path}${line === 0 ? '' : `:${line}`}: ${first.message.replace(/\.$/, '')}${more}`);
};

/** The result of one examination; with a next step only if there is a problem. */
export type Diagnosis = {
  readonly what: string;
  readonly exitCode: ExitCode;
  readonly said: string;
  readonly nextStep?: string;
  /** A close works without it, but its figures may be less accurate. */
  readonly isWarning?: true;
};

export type Examination = () => Promise<readonly Diagnosis[]>;

export const well = (what: string, said: string): Diagnosis => ({ what, exitCode: ExitCode.clean, said });

export const ill = (what: string, said: string, nextStep: string, exitCode: ExitCode): Diagnosis => ({
  what,
  exitCode,
  said,
  nextStep,
});

export const doubtful = (what: string, said: string): Diagnosis => ({ ...well(what, said), isWarning: true });

/** Converts an error to a diagnosis. */
export const illOf = (what: string, error: TieoutError): Diagnosis =>
  ill(what, `${error.code}: ${error.message.replace(/\.$/, '')}`, error.nextStep, exitCodeOf(error));

/** Runs an examination. An error that `designedError` recognises becomes a diagnosis; a defect is thrown again. */
export const examined = async (what: string, look: Examination): Promise<readonly Diagnosis[]> => {
  try {
    return await look();
  } catch (error) {
    const designed = designedError(error);
    if (!designed || designed.recovery === 'defect') throw error;
    return [illOf(what, designed)];
  }
};
