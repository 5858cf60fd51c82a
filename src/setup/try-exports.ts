import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DecidedConfiguration, LoadedConfiguration } from '../configuration/load-configuration.ts';
import { type ChannelConfiguration, Configuration } from '../configuration/schema.ts';
import { type ColumnSums, columnSumsOf, controlledColumns } from '../judge/input-findings.ts';
import { DefectError, TieoutError } from '../kernel/errors.ts';
import { refusedProfile } from '../read/open-export.ts';
import { readChannels } from '../read/read-exports.ts';
import { rowCounts } from '../read/read-file.ts';
import { openStores } from '../read/read-stores.ts';
import { NO_LOCKS } from '../read/shapes.ts';
import { type Detected, detectProfile } from '../sales/detect-profile.ts';
import { ExportError } from '../sales/export-error.ts';
import { isCompanionProfile, isSalesProfile, knownProfiles } from '../sales/load-profiles.ts';
import type { Sale, SetAside } from '../sales/sale.ts';
import { expandFiles, type SurveyedFile, surveyFile } from '../sales/survey-file.ts';
import type { ShipFrom } from './survey-folder.ts';

/**
 * Reads files as a close would, all as exports of one channel, without keeping anything. A file that cannot be used does
 * not prevent the others from being read.
 */
export const tryExports = async (
  trial: TrialChannel,
  entries: readonly string[],
): Promise<readonly (Trial | FailedTrial)[]> => {
  const { resolvePath } = trial.configuration;
  const { profiles, wanted } = knownProfiles(trial.channel.profile, resolvePath);
  const failed: FailedTrial[] = [];
  const found: Found[] = [];
  for (const entry of entries)
    await trying(entry, failed, async () => {
      for (const source of await expandFiles([entry], resolvePath)) {
        if (found.some(({ file }) => file.place === source.place)) continue;
        await trying(source.name, failed, async () => {
          const file = await surveyFile(source);
          const detected = await detectProfile(file, profiles, wanted);
          const { profile } = detected;
          if (!isSalesProfile(profile) && !isCompanionProfile(profile)) throw refusedProfile(file, profile);
          found.push({ file, detected });
        });
      }
    });
  const folder = await mkdtemp(join(tmpdir(), 'tieout-trial-'));
  try {
    const read = await readAll(folder, trial, withSales(found, failed), failed);
    return [...read, ...failed];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

type Found = { readonly file: SurveyedFile; readonly detected: Detected };

const trying = async (name: string, failed: FailedTrial[], work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof TieoutError) || error.recovery === 'defect') throw error;
    failed.push({ name, error });
  }
};

/** Reads all files. If one fails while it is read, it is left out, and the others are read again without it. */
const readAll = async (
  folder: string,
  trial: TrialChannel,
  found: readonly Found[],
  failed: FailedTrial[],
): Promise<readonly Trial[]> => {
  if (found.length === 0) return [];
  try {
    return await readTogether(folder, trial, found);
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const place = error.details['file'];
    const broken = found.find(({ file }) => file.place === place || file.name === place);
    if (!broken) throw error;
    failed.push({ name: broken.file.name, error });
    const others = found.filter((one) => one !== broken);
    return readAll(folder, trial, others, failed);
  }
};

const readTogether = async (
  folder: string,
  { configuration, channel }: TrialChannel,
  found: readonly Found[],
): Promise<readonly Trial[]> => {
  const filesWith = (isOfKind: (profile: Detected['profile']) => boolean) =>
    found.filter(({ detected }) => isOfKind(detected.profile)).map(({ file }) => file);
  const sources = filesWith(isSalesProfile);
  const files = sources.map(({ name }) => name);
  const listed = { channel: { ...channel, files }, sources, companions: filesWith(isCompanionProfile) };
  const stores = openStores(configuration, NO_LOCKS, folder);
  const { rows } = await readChannels(stores, [listed], () => {});
  const sales = stores.sales.days().flatMap((day) => stores.sales.read(day).map(({ sale }) => sale));
  const asides = stores.asides.days().flatMap((day) => stores.asides.read(day).map(({ aside }) => aside));
  return found.map(({ file, detected }): Trial => {
    const row = rows.find(({ path }) => path === file.name);
    if (!row) throw new DefectError(`${file.name} was read, and is not known`);
    return {
      file,
      detected: { ...detected, notices: row.notices },
      tally: rowCounts(row),
      columns: columnSumsOf(controlledColumns(row)),
      sales: ofFile(sales, file),
      setAsides: ofFile(asides, file),
    };
  });
};

const ofFile = <Read extends { readonly origin: { readonly file: string; readonly line: number } }>(
  all: readonly Read[],
  { name }: SurveyedFile,
): readonly Read[] =>
  all.filter(({ origin }) => origin.file === name).sort((one, other) => one.origin.line - other.origin.line);

/** The result that a file would have in a close. */
export type Trial = {
  readonly file: SurveyedFile;
  readonly detected: Detected;
  readonly tally: ReturnType<typeof rowCounts>;
  readonly columns: Readonly<Record<string, ColumnSums>>;
  readonly sales: readonly Sale[];
  readonly setAsides: readonly SetAside[];
};

/** A file that cannot be used, and why. */
export type FailedTrial = { readonly name: string; readonly error: TieoutError };

/** A channel, and the configuration of its seller. */
export type TrialChannel = {
  readonly configuration: LoadedConfiguration;
  readonly channel: ChannelConfiguration;
};

type TrialSettings = {
  readonly name: string;
  readonly profile: string | undefined;
  readonly timeZone: string;
  /** Where sales in person are; nowhere when absent, so that they need a review. */
  readonly shipFrom?: ShipFrom;
};

/** Returns a minimal configuration for reading the files of one channel. */
export const trialConfiguration = ({
  name,
  profile,
  timeZone,
  shipFrom,
}: TrialSettings): DecidedConfiguration => ({
  ...Configuration.parse({
    entity: 'trial',
    name: 'Trial',
    timeZone,
    shipFrom: { country: 'US', state: 'DE', zip: '19901', city: '', street: '' },
    registrations: [],
    channels: [{ name, profile, files: ['*'] }],
  }),
  shipFrom: { country: 'US', state: '', zip: '', ...shipFrom, city: '', street: '' },
  decided: [],
});
