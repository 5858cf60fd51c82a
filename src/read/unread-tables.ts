import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { wasRead } from '../judge/input-findings.ts';
import { compareText } from '../kernel/text.ts';
import { saleNumbersIn } from '../sales/draft-profile.ts';
import { FILINGS, isHidden, namedAs } from '../sales/file-source.ts';
import type { Sale, SaleFinding } from '../sales/sale.ts';
import { saleKey, serviceId } from '../sales/sale-name.ts';
import { expandFiles } from '../sales/survey-file.ts';
import { type SourceFileRow, unreadFile } from './read-file.ts';

/** Returns the files in the folders of the exports that the configuration does not name, by their paths as it would name them. */
const unnamedFiles = async ({
  channels,
  named,
  resolvePath,
}: LoadedConfiguration): Promise<readonly string[]> => {
  const pathsOf = async (entries: readonly string[]): Promise<readonly string[]> => {
    const found = entries.map((entry) => expandFiles([entry], resolvePath).catch(() => []));
    return (await Promise.all(found)).flat().map(({ path }) => path);
  };
  const read = new Set(await pathsOf(named));
  const exports = await pathsOf(channels.flatMap(({ files, refundDates }) => [...files, ...refundDates]));
  const found: string[] = [];
  for (const folder of new Set(exports.map((path) => dirname(path))))
    for (const inside of await readdir(folder, { withFileTypes: true }))
      if (!inside.isDirectory() && !isHidden(inside.name) && !read.has(join(folder, inside.name)))
        found.push(relative(resolvePath('.'), join(folder, inside.name)));
  return found.filter((path) => path !== FILINGS && namedAs(path) !== 'no-table').sort(compareText);
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
  for (const source of sources.filter(({ name }) => whole === path || name === path))
    if (numbers.length < NUMBERS_MAX)
      numbers.push(...(await saleNumbersIn(source)).slice(0, NUMBERS_MAX - numbers.length));
  if (numbers.length === 0) return false;
  for (const { name } of channels) {
    const keysOf = (number: string): readonly Sale['key'][] =>
      (['order', 'refund'] as const).map((kind) => saleKey(name, kind, serviceId(number)));
    const unknown = numbers.filter((number) => !keysOf(number).some(isKnown));
    if (unknown.length <= numbers.length * UNKNOWN_SHARE_MAX) return false;
  }
  return true;
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
