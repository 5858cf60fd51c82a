import { deleteIn, put, rowsIn } from './queries.ts';
import type { SourceFileRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** Returns the files that the sales of the workspace were read from, by channel and name. */
export const sourceFilesOf = (workspace: Workspace): Promise<readonly SourceFileRow[]> =>
  rowsIn(workspace, 'source_file').selectAll().orderBy('channel').orderBy('path').execute();

/** Store files with the outcome of their rows. */
export const keepSourceFiles = (workspace: Workspace, files: readonly SourceFileRow[]): Promise<void> =>
  put(workspace, 'source_file', files);

/** Store files, replacing all known files of a channel. */
export const replaceSourceFiles = (
  workspace: Workspace,
  channel: string,
  files: readonly SourceFileRow[],
): Promise<void> =>
  workspace.together(async (within) => {
    await deleteIn(within, 'source_file').where('channel', '=', channel).execute();
    await keepSourceFiles(within, files);
  });
