import type { SourceFileRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** The files that the sales of the workspace were read from, by channel and name. */
export const sourceFilesOf = ({ tables, entity }: Workspace): Promise<readonly SourceFileRow[]> =>
  tables
    .selectFrom('source_file')
    .selectAll()
    .where('entity', '=', entity)
    .orderBy('channel')
    .orderBy('path')
    .execute();
