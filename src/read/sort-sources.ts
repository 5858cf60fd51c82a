import type { ChannelConfiguration } from '../configuration/schema.ts';
import { withArticle } from '../kernel/text.ts';
import { type Detected, detectProfile } from '../sales/detect-profile.ts';
import {
  companionsName,
  isCompanionProfile,
  isSalesProfile,
  type KnownProfiles,
} from '../sales/load-profiles.ts';
import type { Profile } from '../sales/profile.ts';
import type { ReadGroup } from '../sales/read-export.ts';
import type { SaleFinding } from '../sales/sale.ts';
import { rejectPlaces, rowByRow } from '../sales/table-row.ts';
import { type SourceFileRow, unreadFile } from './read-file.ts';
import type { SourceFile } from './source-file.ts';

/** A file among the exports of a channel that is not one of them. */
export type LeftOut = {
  readonly file: SourceFile;
  readonly found: Detected;
  readonly why: SaleFinding;
};

/** The files of a channel, by kind. */
export type SortedFiles = {
  readonly sources: readonly SourceFile[];
  readonly companions: readonly SourceFile[];
  readonly leftOut: readonly LeftOut[];
};

/**
 * Sort the files from folders, patterns and archives in `files`. Companions are read as such. Reports without sales,
 * and files of another channel, are left out and shown. A file that is named explicitly is always read. A file that cannot be recognised is read too, so that reading it reports the problem.
 */
export const sortSources = async (
  { files }: Pick<ChannelConfiguration, 'files'>,
  { profiles, wanted }: KnownProfiles,
  given: Pick<SortedFiles, 'sources' | 'companions'>,
): Promise<SortedFiles> => {
  const isNamed = new Set(files);
  const isDated = new Set(given.companions.map(({ name }) => name));
  const kinds = profiles.filter(({ id }) => id === wanted);
  const sources: SourceFile[] = [];
  const others: Omit<LeftOut, 'why'>[] = [];
  for (const file of given.sources) {
    if (!isNamed.has(file.name) && isDated.has(file.name)) continue;
    const found = await detectProfile(file, profiles, wanted).catch(() => undefined);
    if (found && wanted === undefined) kinds.push(found.profile);
    if (!found || isNamed.has(file.name) || isOfChannel(found.profile, wanted)) sources.push(file);
    else others.push({ file, found });
  }
  // A channel that names its profile may share its folder with others, to any of which a companion that names none may belong.
  const isTaken = ({ found: { profile } }: Pick<LeftOut, 'found'>): boolean =>
    isCompanionProfile(profile) &&
    (profile.companionOf ? kinds.some((kind) => companionsName(profile, kind)) : wanted === undefined);
  return {
    sources,
    companions: [...given.companions, ...others.filter(isTaken).map(({ file }) => file)],
    leftOut: others
      .filter((one) => !isTaken(one))
      .map((one) => ({ ...one, why: whyLeftOut(one.found.profile) })),
  };
};

const isOfChannel = (profile: Profile, wanted: string | undefined): boolean =>
  isSalesProfile(profile) && (wanted === undefined || profile.id === wanted);

const whyLeftOut = (profile: Profile): SaleFinding => {
  const isReport = !isSalesProfile(profile) && !isCompanionProfile(profile);
  const why = isSalesProfile(profile) ? 'This channel reads another kind of export.' : profile.advice;
  const message = `it is ${withArticle(profile.title)} (${profile.id}) and was left out. ${why}`;
  return { code: isReport ? 'left-out' : 'other-channel', message };
};

/** Returns the file as one whose rows are all ignored. */
export const readLeftOut = async (channel: string, { file, found, why }: LeftOut): Promise<SourceFileRow> => {
  const { profile, header, notices } = found;
  let rows = 0;
  for await (const _ of rowByRow(found.rows())) rows += 1;
  return unreadFile(channel, file, [...notices, why], {
    profile: `${profile.id}@${profile.version}`,
    header,
    rows,
  });
};

/** Rejected rows that repaired reject files of the channel replace. */
export type RepairedRows = {
  /** By the digest of the file they were rejected in: the line of each, and the place of its repair. */
  readonly places: ReadonlyMap<string, ReadonlyMap<number, string>>;
  /** By the name of a reject file: the file that its rows were rejected in. */
  readonly originals: ReadonlyMap<string, SourceFile>;
};

/**
 * Reads the reject files among the files of a channel. Their rows replace rows of other files. The files are identified
 * by digest, so that rows of a file that has changed since are not mistaken for the repaired ones.
 */
export const repairedRows = async (
  { sources, companions }: SortedFiles,
  { profiles, wanted }: KnownProfiles,
): Promise<RepairedRows> => {
  const files = [...sources, ...companions];
  const places = new Map(files.map(({ sha256 }) => [sha256, new Map<number, string>()]));
  const originals = new Map<string, SourceFile>();
  for (const file of files) {
    const { header, rows } = await detectProfile(file, profiles, wanted);
    const at = rejectPlaces(header);
    if (!at) continue;
    for await (const batch of rows()) {
      for (const { cells, line } of batch) {
        const sha256 = cells[at.sha256]?.trim() ?? '';
        places.get(sha256)?.set(Number(cells[at.line]), `${file.name}:${line}`);
        const original = files.find((one) => one.sha256 === sha256);
        if (original && !originals.has(file.name)) originals.set(file.name, original);
      }
    }
  }
  return { places, originals };
};

/** Whether rows come from a file: as it is, or as a reject file repairs it. */
export const isOfFile = (
  { repaired }: { readonly repaired: RepairedRows },
  name: string,
  file: string,
): boolean => name === file || repaired.originals.get(name)?.name === file;

/** Yields the records of a file, with those that were repaired elsewhere as ignored records. */
export async function* withoutRepaired(
  batches: AsyncIterable<readonly ReadGroup[]>,
  places: ReadonlyMap<number, string> = new Map(),
): AsyncGenerator<readonly ReadGroup[]> {
  for await (const batch of batches)
    yield places.size === 0 ? batch : batch.map((read) => withoutOneRepaired(read, places));
}

/** A group with a repaired row becomes a stray, because its rows do not count for their record any more. */
const withoutOneRepaired = (read: ReadGroup, places: ReadonlyMap<number, string>): ReadGroup => {
  const { group, record } = read;
  const { name, rows } = group;
  const [place] = rows.flatMap(({ line }) => places.get(line) ?? []);
  if (place === undefined) return read;
  const { origin, businessDate } = 'sale' in record ? record.sale : record;
  const reason = { code: 'repaired', message: `the record was repaired, and stands at ${place}` };
  return {
    group: { kind: 'stray', name, rows, reason: 'orphan-row', width: rows[0]?.cells.length ?? 0 },
    record: { outcome: 'ignored', origin, rows, businessDate, reason },
  };
};
