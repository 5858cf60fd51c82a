import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { compareText } from '../../../kernel/compare-text.ts';
import type { LoadedConfiguration } from '../../configuration/load-configuration.ts';
import { expandFiles } from '../../sales/files/expand-files.ts';
import { sourceFilesOf } from '../../workspace/source-files.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { noOutcomes } from './account-for-files.ts';
import { sourceFileRow } from './read-file.ts';

/** Names that an export may have. Hidden files and the lock files of spreadsheet programs are left out. */
const TABLE = /^(?!\.|~\$).*\.(csv|tsv|xlsx?|zip|gz)$/i;

/**
 * Tables that lie in the folders of the exports and that the configuration does not name: one of them may hold sales.
 *
 * @returns their paths as the configuration would name them
 */
export const tablesBeside = async ({
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
 * Keep the names of the tables beside the exports with the files that were read, so that the books say them whichever run
 * reads the exports.
 *
 * @returns the tables, where they are others than before
 */
export const noteTablesBeside = async (
  workspace: Workspace,
  configuration: LoadedConfiguration,
): Promise<readonly string[]> => {
  const tables = await tablesBeside(configuration);
  const known = (await sourceFilesOf(workspace)).filter(({ channel }) => channel === NO_CHANNEL);
  if (tables.join('\n') === known.map(({ path }) => path).join('\n')) return [];
  await workspace.together(async (queries) => {
    await queries
      .deleteFrom('source_file')
      .where('entity', '=', workspace.entity)
      .where('channel', '=', NO_CHANNEL)
      .execute();
    await workspace.upsert(
      'source_file',
      tables.map((path) => unread(workspace, path)),
      queries,
    );
  });
  return tables;
};

/** Stands for the channel of a file that none names. */
const NO_CHANNEL = '';

const unread = (workspace: Workspace, name: string) =>
  sourceFileRow(
    { workspace, channel: { name: NO_CHANNEL } },
    {
      file: { name, sha256: '', bytes: 0 },
      profile: '',
      header: [],
      notices: [
        { code: 'not-read', message: 'it lies beside the exports, and the configuration does not name it' },
      ],
      columns: [],
      whole: { rows: 0, sums: [], unreadable: [] },
      firstUnreadable: [],
    },
    noOutcomes(0),
  );
