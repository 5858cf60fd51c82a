import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DecidedConfiguration, LoadedConfiguration } from '../configuration/load-configuration.ts';
import { type ChannelConfiguration, Configuration } from '../configuration/schema.ts';
import { columnSumsOf, controlledColumns } from '../judge/input-findings.ts';
import { DefectError } from '../kernel/errors.ts';
import { refusedProfile } from '../read/open-export.ts';
import { readChannels } from '../read/read-exports.ts';
import { rowCounts } from '../read/read-file.ts';
import { openStores } from '../read/read-stores.ts';
import { NO_LOCKS } from '../read/shapes.ts';
import {
  type Detected,
  detectProfile,
  isCompanionProfile,
  isSalesProfile,
  knownProfiles,
} from '../sales/detect-profile.ts';
import type { Profile } from '../sales/profile.ts';
import { expandFiles, type SurveyedFile, surveyFile } from '../sales/survey-file.ts';
import type { ShipFrom } from './survey-folder.ts';

/** A channel, and the configuration of its seller. */
export type TrialChannel = {
  readonly configuration: LoadedConfiguration;
  readonly channel: ChannelConfiguration;
};

/** A file, and the profile that it follows. */
type Found = { readonly file: SurveyedFile; readonly found: Detected };

/** The result that a file would have in a close. */
export type Trial = Awaited<ReturnType<typeof tryExports>>[number];

/**
 * Finds files that are all to be read as exports of one channel, or as companions of them.
 *
 * @throws {TieoutError} E_EXPORT_…, also where there are companions alone, which have no sales
 */
export const findExports = async (
  { configuration: { resolvePath }, channel }: TrialChannel,
  entries: readonly string[],
): Promise<readonly Found[]> => {
  const { profiles, wanted } = knownProfiles(channel.profile, resolvePath);
  const all: Found[] = [];
  for (const source of await expandFiles(entries, resolvePath)) {
    const file = await surveyFile(source);
    const found = await detectProfile(file, profiles, wanted);
    const { profile } = found;
    if (!isSalesProfile(profile) && !isCompanionProfile(profile)) throw refusedProfile(file, profile);
    all.push({ file, found });
  }
  for (const { file, found } of all)
    if (isCompanionProfile(found.profile) && !all.some((one) => isSalesProfile(one.found.profile)))
      throw refusedProfile(file, found.profile);
  return all;
};

/**
 * Reads files as a close would, all as exports of one channel, without keeping anything.
 *
 * @throws {TieoutError} E_EXPORT_… for the first that cannot be read to its end
 */
export const tryExports = async ({ configuration, channel }: TrialChannel, all: readonly Found[]) => {
  const filesWith = (isOfKind: (profile: Profile) => boolean) =>
    all.filter(({ found }) => isOfKind(found.profile)).map(({ file }) => file);
  const sources = filesWith(isSalesProfile);
  const files = sources.map(({ name }) => name);
  const listed = { channel: { ...channel, files }, sources, companions: filesWith(isCompanionProfile) };
  // All of it stays in memory: nothing is written to the folder.
  const folder = join(tmpdir(), `tieout-trial-${randomUUID()}`);
  const stores = openStores(configuration, NO_LOCKS, folder, Number.POSITIVE_INFINITY);
  const { rows } = await readChannels(stores, [listed], () => {});
  const sales = stores.sales.days().flatMap((day) => stores.sales.read(day).map(({ sale }) => sale));
  const asides = stores.asides.days().flatMap((day) => stores.asides.read(day).map(({ aside }) => aside));
  return all.map(({ file, found }) => {
    const row = rows.find(({ path }) => path === file.name);
    if (!row) throw new DefectError(`${file.name} was read, and is not known`);
    return {
      file,
      detected: { ...found, notices: row.notices },
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

/**
 * Returns a minimal configuration for reading the files of one channel.
 *
 * @param channel its name and profile
 * @param shipFrom where sales in person are; nowhere when absent, so that they need a review
 */
export const trialConfiguration = (
  channel: Pick<ChannelConfiguration, 'name' | 'profile'>,
  timeZone: string,
  shipFrom?: ShipFrom,
): DecidedConfiguration => ({
  ...Configuration.omit({ shipFrom: true }).parse({
    entity: 'trial',
    name: 'Trial',
    timeZone,
    registrations: [],
    channels: [{ ...channel, files: ['*'] }],
  }),
  shipFrom: {
    country: 'US',
    state: '',
    zip: '',
    ...shipFrom,
    city: '',
    street: '',
  },
  decided: [],
});
