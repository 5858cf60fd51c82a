import type { LoadedConfiguration } from './close/configuration/load-configuration.ts';
import { openWorkspace, type Workspace } from './close/workspace/workspace.ts';
import { withRunLock } from './database/run-lock.ts';
import { withDatabase } from './database/with-database.ts';

/** Open what the closes of an entity know so far, without taking their lock, and close it again. */
export const withWorkspace = <Result>(
  { databases, entity, resolveUrl }: LoadedConfiguration,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> =>
  withDatabase(resolveUrl(databases.workspace), async (database) =>
    work(await openWorkspace(database, entity)),
  );

/** The same, alone: this process holds the run lock while the work lasts. @throws {TieoutError} E_RUN_LOCKED */
export const withWorkspaceAlone = <Result>(
  { databases, entity, resolveUrl }: LoadedConfiguration,
  processId: number,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> =>
  withDatabase(resolveUrl(databases.workspace), (database) =>
    withRunLock(database, `process ${processId}`, async () => work(await openWorkspace(database, entity))),
  );
