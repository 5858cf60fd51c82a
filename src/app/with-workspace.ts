import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { openWorkspace, type Workspace } from '../close/workspace/workspace.ts';
import { withDatabase } from '../database/with-database.ts';

/** Opens the workspace of an entity without taking its run lock, runs work with it, and closes it. */
export const withWorkspace = <Result>(
  { databases, entity, resolveUrl }: LoadedConfiguration,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> =>
  withDatabase(resolveUrl(databases.workspace), async (database) =>
    work(await openWorkspace(database, entity)),
  );
