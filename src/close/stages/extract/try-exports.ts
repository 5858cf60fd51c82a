import { zoneCalendar } from '../../../kernel/calendar.ts';
import { DefectError, TieoutError } from '../../../kernel/errors.ts';
import type { LoadedConfiguration } from '../../configuration/load-configuration.ts';
import {
  type ColumnSums,
  columnSumsOf,
  controlledColumns,
  type FileControls,
} from '../../reconcile/control-totals.ts';
import { type Detected, detectProfile } from '../../sales/detect-profile.ts';
import { ExportError } from '../../sales/export-error.ts';
import { expandFiles } from '../../sales/files/expand-files.ts';
import { surveyFile } from '../../sales/files/survey-file.ts';
import type { KnownProfiles } from '../../sales/load-profiles.ts';
import type { Sale, SetAside } from '../../sales/sale.ts';
import { isCompanionProfile, isSalesProfile } from '../../sales/shipped-profiles.ts';
import { allKeys } from '../../workspace/load-sales.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { setAsidesOfFile } from '../../workspace/set-asides.ts';
import { sourceFilesOf } from '../../workspace/source-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { loadChannel } from './load-channel.ts';
import type { ChannelConfiguration, ChannelLoad } from './reading/channel-load.ts';
import { refusedProfile } from './reading/open-export.ts';
import type { SourceFile } from './reading/source-file.ts';

/** The rows of a file, and their outcomes. */
export type Tally = { readonly [Side in 'rows' | 'used' | 'ignored' | 'rejected']: number };

/** The result that a file would have in a close. */
export type Trial = {
  readonly file: SourceFile;
  readonly detected: Detected;
  readonly tally: Tally;
  readonly columns: Readonly<Record<string, ColumnSums>>;
  readonly sales: readonly Sale[];
  readonly setAsides: readonly SetAside[];
};

/** A file that cannot be used, and why. */
export type FailedTrial = { readonly name: string; readonly error: TieoutError };

export type TrialPorts = {
  /** Runs work in an empty workspace that is discarded afterwards. */
  readonly withScratch: <Result>(work: (workspace: Workspace) => Promise<Result>) => Promise<Result>;
  readonly configuration: LoadedConfiguration;
  readonly channel: ChannelConfiguration;
  readonly profiles: KnownProfiles;
};

/**
 * Read files as a close would, all as exports of one channel, without keeping anything. A file that cannot be used does
 * not prevent the others from being read.
 */
export const tryExports = async (
  ports: TrialPorts,
  entries: readonly string[],
): Promise<readonly (Trial | FailedTrial)[]> => {
  const failed: FailedTrial[] = [];
  const found: Found[] = [];
  for (const file of await filesOf(entries, ports.configuration.resolvePath, failed)) {
    const { profiles, wanted } = ports.profiles;
    await trying(file.name, failed, async () => {
      const detected = await detectProfile(file, profiles, wanted);
      const { profile } = detected;
      if (!isSalesProfile(profile) && !isCompanionProfile(profile)) throw refusedProfile(file, profile);
      found.push({ file, detected });
    });
  }
  return [...(await loadAll(ports, withSales(found, failed), failed)), ...failed];
};

/**
 * Companion files alone do not contain sales. If only such files are given, the error says what to export. If the files
 * of sales cannot be used, their own errors say what to do.
 */
const withSales = (found: readonly Found[], failed: FailedTrial[]): readonly Found[] => {
  if (found.some(({ detected }) => isSalesProfile(detected.profile))) return found;
  if (failed.length > 0) return [];
  for (const { file, detected } of found) {
    if (!isCompanionProfile(detected.profile)) continue;
    failed.push({ name: file.name, error: refusedProfile(file, detected.profile) });
  }
  return [];
};

type Found = { readonly file: SourceFile; readonly detected: Detected };

const trying = async (name: string, failed: FailedTrial[], work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TieoutError) || error.recovery === 'defect') throw error;
    failed.push({ name, error });
  }
};

const filesOf = async (
  entries: readonly string[],
  resolvePath: (path: string) => string,
  failed: FailedTrial[],
): Promise<readonly SourceFile[]> => {
  const files = new Map<string, SourceFile>();
  for (const entry of entries) {
    await trying(entry, failed, async () => {
      for (const source of await expandFiles([entry], resolvePath)) {
        await trying(source.name, failed, async () => {
          if (!files.has(source.place)) files.set(source.place, await surveyFile(source));
        });
      }
    });
  }
  return [...files.values()];
};

/** Load all files. If one fails while it is read, it is left out, and the others are loaded again without it. */
const loadAll = async (
  ports: TrialPorts,
  found: readonly Found[],
  failed: FailedTrial[],
): Promise<readonly Trial[]> => {
  if (found.length === 0) return [];
  try {
    return await ports.withScratch((workspace) => loadInto(workspace, ports, found));
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const place = error.details['file'];
    const broken = found.find(({ file }) => file.place === place || file.name === place);
    if (!broken) throw error;
    failed.push({ name: broken.file.name, error });
    return loadAll(
      ports,
      found.filter((one) => one !== broken),
      failed,
    );
  }
};

const loadInto = async (
  workspace: Workspace,
  { configuration, channel, profiles }: TrialPorts,
  found: readonly Found[],
): Promise<readonly Trial[]> => {
  const filesWith = (isOfKind: (detected: Detected) => boolean) =>
    found.filter(({ detected }) => isOfKind(detected)).map(({ file }) => file);
  const load: ChannelLoad = {
    configuration,
    workspace,
    channel,
    profiles,
    sources: filesWith(({ profile }) => isSalesProfile(profile)),
    companions: filesWith(({ profile }) => isCompanionProfile(profile)),
    leftOut: [],
    digest: 'trial',
    basis: 'trial',
    calendar: zoneCalendar(configuration.timeZone),
  };
  await loadChannel(load, () => {});
  const keys = await allKeys(workspace);
  const sales = await salesByKey(workspace, keys);
  const read = keys.map((key) => sales.get(key) as Sale);
  const ofFiles = Map.groupBy(read, ({ origin }) => origin.file);
  const trials: Trial[] = [];
  for (const one of found) {
    const own = ofFiles.get(one.file.name) ?? [];
    trials.push(
      await trialOf(
        load,
        one,
        own.sort((left, right) => left.origin.line - right.origin.line),
      ),
    );
  }
  return trials;
};

const trialOf = async (
  load: ChannelLoad,
  { file, detected }: Found,
  sales: readonly Sale[],
): Promise<Trial> => {
  const { path, channel } = { path: file.name, channel: load.channel.name };
  const row = (await sourceFilesOf(load.workspace)).find(
    (one) => one.path === path && one.channel === channel,
  );
  if (!row) throw new DefectError(`${path} was read, and is not known`);
  const { rows, used, ignored, rejected, controls, notices } = row;
  const tally = { rows, used, ignored, rejected };
  return {
    file,
    detected: { ...detected, notices: JSON.parse(notices) as Detected['notices'] },
    tally,
    columns: columnSumsOf(controlledColumns(JSON.parse(controls) as FileControls)),
    sales,
    setAsides: await setAsidesOfFile(load, path),
  };
};
