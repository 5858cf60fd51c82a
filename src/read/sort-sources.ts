import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { type RegisterFile, registerReader } from '../certificates/read-register.ts';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import type { ChannelConfiguration } from '../configuration/schema.ts';
import { type BalanceFile, readBalances } from '../figures/roll-forward.ts';
import { wasRead } from '../judge/input-findings.ts';
import type { ErrorCode } from '../kernel/error-codes.ts';
import { TieoutError } from '../kernel/errors.ts';
import { compareText, withArticle } from '../kernel/text.ts';
import {
  companionsName,
  type Detected,
  detectProfile,
  isCompanionProfile,
  isSalesProfile,
  isUsable,
  type KnownProfiles,
  shippedProfiles,
} from '../sales/detect-profile.ts';
import {
  ExportError,
  FILINGS,
  type FileSource,
  isHidden,
  isOwnFile,
  isTableName,
} from '../sales/file-source.ts';
import type { Profile } from '../sales/profile.ts';
import type { ReadGroup } from '../sales/read-export.ts';
import type { SaleFinding } from '../sales/sale.ts';
import { expandFiles, fileState, type SurveyedFile, surveyFile } from '../sales/survey-file.ts';
import { rejectPlaces, rowByRow } from '../sales/table-row.ts';
import { type SourceFileRow, unreadFile } from './read-file.ts';

/** A file among the exports of a channel that is not one of them. */
type LeftOut = {
  readonly file: SourceFile;
  readonly found: Detected;
};

/** The files of a channel, by kind. */
export type SortedFiles = {
  readonly sources: readonly SourceFile[];
  readonly companions: readonly SourceFile[];
  readonly leftOut: readonly LeftOut[];
};

/** A channel with the files that its configuration names: exports, and companions with the days of refunds. */
export type ListedChannel = { readonly channel: ChannelConfiguration } & Pick<
  SortedFiles,
  'sources' | 'companions'
>;

/**
 * Sort the files from folders, patterns and archives in `files`. Companions are read as such. Reports without sales,
 * and files of another channel, are left out and shown. A file that is named explicitly is always read. A file that cannot be recognised is read too, so that reading it reports the problem.
 */
export const sortSources = async (
  { channel: { files }, ...given }: ListedChannel,
  { profiles, wanted }: KnownProfiles,
): Promise<SortedFiles> => {
  const isNamed = new Set(files);
  const isDated = new Set(given.companions.map(({ name }) => name));
  const kinds = profiles.filter(({ id }) => id === wanted);
  const sources: SourceFile[] = [];
  const others: LeftOut[] = [];
  for (const file of given.sources) {
    if (!isNamed.has(file.name) && isDated.has(file.name)) continue;
    const found = await detectProfile(file, profiles, wanted).catch(() => undefined);
    if (found && wanted === undefined) kinds.push(found.profile);
    if (!found || isNamed.has(file.name) || isOfChannel(found.profile, wanted)) sources.push(file);
    else others.push({ file, found });
  }
  // A channel that names its profile may share its folder with others, to any of which a companion that names none may belong.
  const isTaken = ({ found: { profile } }: LeftOut): boolean =>
    isCompanionProfile(profile) &&
    (profile.companionOf ? kinds.some((kind) => companionsName(profile, kind)) : wanted === undefined);
  return {
    sources,
    companions: [...given.companions, ...others.filter(isTaken).map(({ file }) => file)],
    leftOut: others.filter((one) => !isTaken(one)),
  };
};

const isOfChannel = (profile: Profile, wanted: string | undefined): boolean =>
  isSalesProfile(profile) && (wanted === undefined || profile.id === wanted);

const whyLeftOut = (profile: Profile): SaleFinding => {
  const isReport = !isUsable(profile);
  const why = isSalesProfile(profile) ? 'This channel reads another kind of export.' : profile.advice;
  const message = `it is ${withArticle(profile.title)} (${profile.id}) and was left out. ${why}`;
  return { code: isReport ? 'left-out' : 'other-channel', message };
};

/** Returns the file as one whose rows are all ignored. */
export const readLeftOut = async (channel: string, { file, found }: LeftOut): Promise<SourceFileRow> => {
  const { profile, header, notices } = found;
  let rows = 0;
  for await (const _ of rowByRow(found.rows())) rows += 1;
  return unreadFile(channel, file, [...notices, whyLeftOut(profile)], {
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
    for await (const { cells, line } of rowByRow(rows())) {
      const sha256 = cells[at.sha256]?.trim() ?? '';
      places.get(sha256)?.set(Number(cells[at.line]), `${file.name}:${line}`);
      const original = files.find((one) => one.sha256 === sha256);
      if (original && !originals.has(file.name)) originals.set(file.name, original);
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
  const { rows } = group;
  const [place] = rows.flatMap(({ line }) => places.get(line) ?? []);
  if (place === undefined) return read;
  const { origin, businessDate } = 'sale' in record ? record.sale : record;
  const reason = { code: 'repaired', message: `the record was repaired, and stands at ${place}` };
  return {
    group: { ...group, stray: reason },
    record: {
      outcome: 'ignored',
      origin,
      rows,
      businessDate,
      reason,
    },
  };
};

/** Returns the files in the folders of the exports that the configuration does not name, by their paths as it would name them. */
const unnamedFiles = async ({
  channels,
  named,
  resolvePath,
}: LoadedConfiguration): Promise<readonly string[]> => {
  const placesOf = async (entries: readonly string[]): Promise<readonly string[]> => {
    const found = entries.map((entry) => expandFiles([entry], resolvePath).catch(() => []));
    return (await Promise.all(found)).flat().map(({ path }) => path);
  };
  const read = new Set(await placesOf(named));
  const exports = await placesOf(channels.flatMap(({ files, refundDates }) => [...files, ...refundDates]));
  const found: string[] = [];
  for (const folder of new Set(exports.map((path) => dirname(path))))
    for (const inside of await readdir(folder, { withFileTypes: true })) {
      const place = join(folder, inside.name);
      if (inside.isDirectory() || isHidden(inside.name) || read.has(place)) continue;
      const path = relative(resolvePath('.'), place);
      if (path !== FILINGS && isTableName(path)) found.push(path);
    }
  return found;
};

/** A file that no channel reads, and what to say of it when it has no sales. */
type Unread = Pick<SourceFileRow, 'path' | 'bytes'> & { readonly otherwise: SaleFinding };

/**
 * Returns the rows of files that no channel reads, and the paths of tables beside the exports, which are called so.
 */
export const filesUnread = async (
  configuration: LoadedConfiguration,
  files: readonly SourceFileRow[],
): Promise<{
  readonly rows: readonly SourceFileRow[];
  readonly beside: readonly string[];
}> => {
  const unread: Unread[] = leftByAll(files);
  for (const path of await unnamedFiles(configuration)) {
    const { size: bytes } = await stat(configuration.resolvePath(path));
    unread.push({ path, bytes, otherwise: NOT_NAMED });
  }
  const taken = files.filter((file) => !isLeftOut(file));
  const digests = new Set(taken.map(({ sha256 }) => sha256));
  const shops = new Set(taken.map(({ profile }) => shopOf(profile)));
  const rows: SourceFileRow[] = [];
  for (const { path, bytes, otherwise } of unread.sort((one, other) => compareText(one.path, other.path))) {
    const profile = await salesProfileOf(path, digests, configuration);
    // Of several kinds of export of one shop, a channel reads one.
    const isSame = otherwise === NOT_TAKEN && profile !== undefined && shops.has(shopOf(profile));
    const notice = profile === undefined || isSame ? otherwise : salesNotRead(path);
    rows.push(unreadFile('', { name: path, bytes, sha256: '' }, [notice]));
  }
  const beside = unread.flatMap(({ path, otherwise }) => (otherwise === NOT_NAMED ? path : []));
  return { rows, beside };
};

/** Returns the files of folders that every channel has left out as another channel's. */
const leftByAll = (files: readonly SourceFileRow[]): Unread[] =>
  [...Map.groupBy(files.filter(wasRead), ({ path }) => path)].flatMap(([path, [first, ...others]]) =>
    first && [first, ...others].every(isLeftOut) ? [{ path, bytes: first.bytes, otherwise: NOT_TAKEN }] : [],
  );

const isLeftOut = ({ notices }: SourceFileRow): boolean =>
  notices.some(({ code }) => code === 'other-channel');

/** The kind of shop whose exports a profile describes: `amazon` of `amazon.orders`. */
const shopOf = (profile: string): string => profile.split('.')[0] ?? '';

/** Returns the profile of a file, or of one in an archive, if it is a known export of sales and no copy of one that is read. */
const salesProfileOf = async (
  path: string,
  digests: ReadonlySet<string>,
  { resolvePath }: LoadedConfiguration,
): Promise<string | undefined> => {
  const [whole = path] = /^.*?\.zip(?=\/)/i.exec(path) ?? [];
  const sources = await expandFiles([whole], resolvePath).catch(() => []);
  for (const source of sources) {
    if (whole !== path && source.name !== path) continue;
    try {
      const file = await surveyFile(source);
      if (digests.has(file.sha256)) continue;
      const { profile } = await detectProfile(file, shippedProfiles());
      if (isSalesProfile(profile)) return profile.id;
    } catch (error) {
      if (!(error instanceof ExportError)) throw error;
    }
  }
  return undefined;
};

const salesNotRead = (name: string): SaleFinding => ({
  code: 'sales-not-read',
  message: `NOT COMPLETE: ${name} is not read, so every amount may lack its sales`,
});

const NOT_NAMED: SaleFinding = {
  code: 'not-read',
  message: 'it lies beside the exports, and the configuration does not name it',
};

const NOT_TAKEN: SaleFinding = {
  code: 'not-read',
  message: 'it is of another kind than the exports of every channel',
};

/** A file of a channel on disk, or in an archive. */
export type SourceFile = SurveyedFile;

type ResolvePath = LoadedConfiguration['resolvePath'];

/** Returns the files of each channel. @throws {TieoutError} E_EXPORT_… when one is missing or is neither text nor a workbook */
export const channelFiles = ({ channels, resolvePath }: LoadedConfiguration) =>
  Array.fromAsync(channels, async (channel): Promise<ListedChannel> => {
    const under = async (key: 'files' | 'refundDates'): Promise<readonly SourceFile[]> => {
      const step = `Put the export there, or correct \`${key}\` of the channel ${channel.name} in the configuration.`;
      const files = await namedFiles(channel[key], resolvePath, 'E_EXPORT_MISSING', step);
      return surveyed(files.filter(({ name }) => !isOwnFile(name)));
    };
    return { channel, sources: await under('files'), companions: await under('refundDates') };
  });

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
    throw new TieoutError({
      code,
      nextStep,
      message,
      details,
      cause: error,
    });
  }
};

/** One after the other: each file is read completely, which keeps a disk busy. */
const surveyed = (sources: readonly FileSource[]): Promise<readonly SourceFile[]> =>
  Array.fromAsync(sources, surveyFile);

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
  configuration: LoadedConfiguration,
  key: 'certificates' | 'ledger',
  what: string,
  read: (file: SourceFile) => Promise<Read>,
): Promise<readonly Read[]> => {
  const code = key === 'ledger' ? 'E_LEDGER_MISSING' : 'E_CERTIFICATES_MISSING';
  const step = `Put the ${what} there, or correct \`${key}\` in the configuration.`;
  const entries = [configuration[key] || []].flat();
  const files = await surveyed(await namedFiles(entries, configuration.resolvePath, code, step));
  const found = await Array.fromAsync(files, read);
  await refuseChanged(files);
  return found;
};

/**
 * Read this register.
 *
 * @throws {TieoutError} E_CERTIFICATES_MISSING, E_CERTIFICATES_COLUMNS, or what any file of exports can have
 */
export const readRegister = (configuration: LoadedConfiguration): Promise<readonly RegisterFile[]> =>
  readBeside(configuration, 'certificates', 'register of certificates', registerReader());

/**
 * Read these balances; `undefined` if none are configured.
 *
 * @throws {TieoutError} E_LEDGER_MISSING, E_LEDGER_COLUMNS, or what any file of exports can have
 */
export const readLedger = async (configuration: LoadedConfiguration): Promise<BalanceFile | undefined> => {
  const [file] = await readBeside(configuration, 'ledger', 'file of account balances', readBalances);
  return file;
};
