import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { compareText } from '../../../../kernel/compare-text.ts';
import type { LoadedConfiguration } from '../../../configuration/load-configuration.ts';
import { saleNumbersIn } from '../../../sales/draft/sale-numbers-in.ts';
import { expandFiles } from '../../../sales/files/expand-files.ts';
import { serviceId } from '../../../sales/record-id.ts';
import type { Sale, SaleFinding } from '../../../sales/sale.ts';
import { isAnyKnown } from '../../../workspace/load-sales.ts';
import { replaceSourceFiles, sourceFilesOf } from '../../../workspace/source-files.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { noOutcomes } from '../reading/account-for-files.ts';
import { sourceFileRow } from '../reading/read-file.ts';

/** File names that an export may have, without hidden files and the lock files of spreadsheet programs. */
const TABLE = /^(?!\.|~\$).*\.(csv|tsv|xlsx?|zip|gz)$/i;

/**
 * Returns the tables in the folders of the exports that the configuration does not name, because one of them may
 * contain sales.
 *
 * @returns their paths as the configuration would name them
 */
export const tablesNoneReads = async ({
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
    for (const name of await readdir(folder))
      if (TABLE.test(name) && !read.has(join(folder, name)))
        found.push(relative(resolvePath('.'), join(folder, name)));
  return found.sort(compareText);
};

/**
 * Store the names of unread tables next to the exports with the files that were read, so that the books name them
 * whichever run reads the exports.
 *
 * @returns the tables, if they have changed; otherwise an empty list
 */
export const noteUnreadTables = async (
  workspace: Workspace,
  configuration: LoadedConfiguration,
): Promise<readonly string[]> => {
  const { resolvePath } = configuration;
  const tables = await tablesNoneReads(configuration);
  const known = (await sourceFilesOf(workspace)).filter(({ channel }) => channel === NO_CHANNEL);
  const sizes = await Promise.all(tables.map(async (path) => (await stat(resolvePath(path))).size));
  const isKnown = tables.every(
    (path, index) => known[index]?.path === path && known[index].bytes === sizes[index],
  );
  if (isKnown && tables.length === known.length) return [];
  const rows: ReturnType<typeof unread>[] = [];
  // One after the other: a workbook is read as a whole, and several at once would need memory for all of them.
  for (const [index, path] of tables.entries()) {
    const holdsSales = await holdsUnknownSales(workspace, path, configuration);
    rows.push(unread(workspace, { name: path, bytes: sizes[index] ?? 0 }, holdsSales));
  }
  await replaceSourceFiles(workspace, NO_CHANNEL, rows);
  return tables;
};

/** The channel name of a file that does not belong to any channel. */
const NO_CHANNEL = '';

/**
 * Whether a file, or one in an archive, contains sales but none that the workspace knows. A file that was read before,
 * or that repeats other files, does not mean that sales are missing.
 */
const holdsUnknownSales = async (
  workspace: Workspace,
  path: string,
  { channels, resolvePath }: LoadedConfiguration,
): Promise<boolean> => {
  const sources = await expandFiles([path], resolvePath).catch(() => []);
  const numbers: string[] = [];
  for (const source of sources)
    if (numbers.length < NUMBERS_MAX)
      numbers.push(...(await saleNumbersIn(source)).slice(0, NUMBERS_MAX - numbers.length));
  if (numbers.length === 0) return false;
  const keys = channels.flatMap(({ name }) =>
    numbers.flatMap((number) =>
      (['order', 'refund'] as const).map((kind): Sale['key'] => `${name}/${kind}/${serviceId(number)}`),
    ),
  );
  return !(await isAnyKnown(workspace, keys));
};

/** The most record numbers that are looked up. */
const NUMBERS_MAX = 100;

const unread = (
  workspace: Workspace,
  file: { readonly name: string; readonly bytes: number },
  holdsSales: boolean,
) =>
  sourceFileRow(
    { workspace, channel: { name: NO_CHANNEL } },
    {
      file: { ...file, sha256: '' },
      profile: '',
      header: [],
      notices: [holdsSales ? salesNotRead(file.name) : NOT_READ],
      columns: [],
      whole: { rows: 0, sums: [], unreadable: [] },
      firstUnreadable: [],
    },
    noOutcomes(0),
  );

const salesNotRead = (name: string): SaleFinding => ({
  code: 'sales-not-read',
  message: `NOT COMPLETE: ${name} is not read, so every amount may lack its sales`,
});

const NOT_READ: SaleFinding = {
  code: 'not-read',
  message: 'it lies beside the exports, and the configuration does not name it',
};
