import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { wasRead } from '../judge/input-findings.ts';
import { compareText } from '../kernel/text.ts';
import { detectProfile } from '../sales/detect-profile.ts';
import { ExportError } from '../sales/export-error.ts';
import { FILINGS, isHidden, isTableName } from '../sales/file-source.ts';
import { isSalesProfile, shippedProfiles } from '../sales/load-profiles.ts';
import type { SaleFinding } from '../sales/sale.ts';
import { expandFiles, surveyFile } from '../sales/survey-file.ts';
import { type SourceFileRow, unreadFile } from './read-file.ts';

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
