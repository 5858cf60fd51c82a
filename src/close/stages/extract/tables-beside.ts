import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { compareText } from '../../../kernel/compare-text.ts';
import type { LoadedConfiguration } from '../../configuration/load-configuration.ts';
import { expandFiles } from '../../sales/files/expand-files.ts';

/** Names that an export may have. Hidden files and the lock files of spreadsheet programs are left out. */
const TABLE = /^(?!\.|~\$).*\.(csv|tsv|xlsx?|zip|gz)$/i;

/**
 * Tables that lie in the folders of the exports and that the configuration does not name: one of them may hold sales.
 *
 * @param exports absolute paths of all exports of the configuration
 * @returns their paths as the configuration would name them
 */
export const tablesBeside = async (
  { certificates, books, decisions, resolvePath }: LoadedConfiguration,
  exports: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const named = new Set(exports);
  for (const entry of [...certificates, ...(books?.files ?? []), ...decisions])
    for (const { path } of await expandFiles([entry], resolvePath).catch(() => [])) named.add(path);
  const found: string[] = [];
  for (const folder of new Set([...exports].map(dirname)))
    for (const name of await readdir(folder))
      if (TABLE.test(name) && !named.has(join(folder, name)))
        found.push(relative(resolvePath('.'), join(folder, name)));
  return found.sort(compareText);
};
