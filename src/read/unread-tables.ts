import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { wasRead } from '../judge/input-findings.ts';
import { compareText } from '../kernel/text.ts';
import { saleNumbersIn } from '../sales/draft-profile.ts';
import { FILINGS, isHidden, namedAs } from '../sales/file-source.ts';
import type { SaleFinding } from '../sales/sale.ts';
import { saleKey, serviceId } from '../sales/sale-name.ts';
import { expandFiles } from '../sales/survey-file.ts';
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
      if (path !== FILINGS && namedAs(path) !== 'no-table') found.push(path);
    }
  return found;
};

/** A file that no channel reads, and what to say of it when it has no sales; `undefined` if that is nothing. */
type Unread = Pick<SourceFileRow, 'path' | 'bytes'> & { readonly otherwise: SaleFinding | undefined };

/**
 * Returns the rows of files that no channel reads, where there is something to say of them, and the paths of tables
 * beside the exports. What is not a table by its name is a note most of the time, so only one that holds sales is reported.
 */
export const filesUnread = async (
  configuration: LoadedConfiguration,
  files: readonly SourceFileRow[],
  isKnown: (key: string) => boolean,
): Promise<{ readonly rows: readonly SourceFileRow[]; readonly beside: readonly string[] }> => {
  const unread: Unread[] = leftByAll(files);
  for (const path of await unnamedFiles(configuration)) {
    const { size: bytes } = await stat(configuration.resolvePath(path));
    unread.push({ path, bytes, otherwise: namedAs(path) === 'table' ? NOT_NAMED : undefined });
  }
  const rows: SourceFileRow[] = [];
  // One after the other: a workbook is read as a whole, and several at once would need memory for all of them.
  for (const { path, bytes, otherwise } of unread.sort((one, other) => compareText(one.path, other.path))) {
    const isLookedInto = !WORKBOOK.test(path) || bytes <= WORKBOOK_BYTES_MAX;
    const holdsSales = isLookedInto && (await holdsUnknownSales(isKnown, path, configuration));
    const notice = holdsSales ? salesNotRead(path) : otherwise;
    if (notice) rows.push(unreadFile('', { name: path, bytes, sha256: '' }, [notice]));
  }
  const beside = unread.flatMap(({ path, otherwise }) => (otherwise === NOT_NAMED ? path : []));
  return { rows, beside };
};

const WORKBOOK = /\.xls\w$/i;

/** A larger workbook that no channel reads is named and not looked into: it would take more memory than the exports. */
const WORKBOOK_BYTES_MAX = 4 * 1024 * 1024;

/** Returns the files of folders that every channel has left out as another channel's. */
const leftByAll = (files: readonly SourceFileRow[]): Unread[] =>
  [...Map.groupBy(files.filter(wasRead), ({ path }) => path)].flatMap(([path, [first, ...others]]) =>
    first && [first, ...others].every(isLeftOut) ? [{ path, bytes: first.bytes, otherwise: NOT_TAKEN }] : [],
  );

const isLeftOut = ({ notices }: SourceFileRow): boolean =>
  notices.some(({ code }) => code === 'other-channel');

/**
 * Whether a file, or one in an archive, contains sales that the exports do not have. A file that was read before, or
 * that repeats other files, does not mean that sales are missing: one channel knows nearly all of its numbers.
 */
const holdsUnknownSales = async (
  isKnown: (key: string) => boolean,
  path: string,
  { channels, resolvePath }: LoadedConfiguration,
): Promise<boolean> => {
  const [whole = path] = /^.*?\.zip(?=\/)/i.exec(path) ?? [];
  const sources = await expandFiles([whole], resolvePath).catch(() => []);
  const numbers: string[] = [];
  for (const source of sources)
    if (numbers.length < NUMBERS_MAX && (whole === path || source.name === path))
      numbers.push(...(await saleNumbersIn(source)).slice(0, NUMBERS_MAX - numbers.length));
  const isUnknown = ({ name }: { readonly name: string }): boolean => {
    const unknown = numbers.map(serviceId).filter((number) => {
      const keys = [saleKey(name, 'order', number), saleKey(name, 'refund', number)];
      return !keys.some(isKnown);
    });
    return unknown.length > numbers.length * UNKNOWN_SHARE_MAX;
  };
  return numbers.length > 0 && channels.every(isUnknown);
};

/** Share of the numbers of a file that other exports may lack although it repeats them, such as those of totals. */
const UNKNOWN_SHARE_MAX = 0.1;

/** The most record numbers that are looked up. */
const NUMBERS_MAX = 100;

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
