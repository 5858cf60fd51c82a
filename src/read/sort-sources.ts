import { type Detected, detectProfile } from '../close/sales/detect-profile.ts';
import {
  idsOf,
  isCompanionProfile,
  isSalesProfile,
  isTaxReportProfile,
  type KnownProfiles,
} from '../close/sales/load-profiles.ts';
import type { Profile } from '../close/sales/profile.ts';
import type { SaleFinding } from '../close/sales/sale.ts';
import { rowByRow } from '../close/sales/table-row.ts';
import type { ChannelConfiguration } from './open-export.ts';
import type { ReadFile } from './read-file.ts';
import type { SourceFile } from './source-file.ts';

/** A file among the exports of a channel that is not one of them. */
export type LeftOut = { readonly file: SourceFile; readonly found: Detected; readonly why: SaleFinding };

/** The files of a channel, by kind. */
export type SortedFiles = {
  readonly sources: readonly SourceFile[];
  readonly companions: readonly SourceFile[];
  readonly leftOut: readonly LeftOut[];
};

/**
 * Sort the files from folders, patterns and archives in `files`. Companions are read as such. Reports without sales,
 * and files of another channel, are left out and shown. A file that is named explicitly is always read, except a tax
 * report. A file that cannot be recognised is read too, so that reading it reports the problem.
 */
export const sortSources = async (
  { files }: Pick<ChannelConfiguration, 'files'>,
  { profiles, wanted }: KnownProfiles,
  given: Pick<SortedFiles, 'sources' | 'companions'>,
): Promise<SortedFiles> => {
  const isNamed = new Set(files);
  const isDated = new Set(given.companions.map(({ name }) => name));
  const known: Known[] = [];
  const kinds = new Set<string>();
  const sources: SourceFile[] = [];
  for (const file of given.sources.filter(({ name }) => isNamed.has(name) || !isDated.has(name))) {
    const seen = await detectProfile(file, profiles, wanted).catch(() => undefined);
    if (seen && wanted === undefined) kinds.add(seen.profile.id);
    const isMeant = isNamed.has(file.name) && !(seen && isTaxReportProfile(seen.profile));
    const found = isMeant ? undefined : seen;
    if (found) known.push({ file, found });
    if (!found || isOfChannel(found.profile, wanted)) sources.push(file);
  }
  const present = new Set(known.map(({ found }) => found.profile.id));
  for (const profile of profiles.filter(({ id }) => id === wanted))
    for (const id of idsOf(profile, present)) kinds.add(id);
  const others = known.filter(({ found }) => !isOfChannel(found.profile, wanted));
  const isTaken = ({ found }: Known): boolean => isCompanion(found.profile, wanted, kinds);
  return {
    sources,
    companions: [...given.companions, ...others.filter(isTaken).map(({ file }) => file)],
    leftOut: others
      .filter((one) => !isTaken(one))
      .map((one) => ({ ...one, why: whyLeftOut(one.found.profile) })),
  };
};

type Known = Omit<LeftOut, 'why'>;

const isOfChannel = (profile: Profile, wanted: string | undefined): boolean =>
  isSalesProfile(profile) && (wanted === undefined || profile.id === wanted);

/**
 * A channel that names its profile may share its folder with others, so a companion without `companionOf` could belong
 * to any of them.
 */
const isCompanion = (profile: Profile, wanted: string | undefined, kinds: ReadonlySet<string>): boolean => {
  if (!isCompanionProfile(profile)) return false;
  return profile.companionOf?.some((id) => kinds.has(id)) ?? wanted === undefined;
};

const whyLeftOut = (profile: Profile): SaleFinding => {
  const what = `it is a ${profile.title} (${profile.id})`;
  return isSalesProfile(profile) || isCompanionProfile(profile)
    ? {
        code: 'other-channel',
        message: `${what} and was left out: this channel reads another kind of export`,
      }
    : { code: 'left-out', message: `${what} and was left out. ${profile.advice}` };
};

/** Returns the file as one whose rows are all ignored. */
export const readLeftOut = async ({ file, found, why }: LeftOut): Promise<ReadFile> => {
  const { profile, header, notices } = found;
  let rows = 0;
  for await (const _ of rowByRow(found.rows())) rows += 1;
  return {
    file,
    profile: `${profile.id}@${profile.version}`,
    header,
    notices: [...notices, why],
    tellsRefunds: false,
    columns: [],
    whole: { rows, sums: [], unreadable: [] },
    firstUnreadable: [],
  };
};
