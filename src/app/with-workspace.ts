import { join } from 'node:path';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { refuseUnknownLocks } from '../close/periods/refuse-unknown-locks.ts';
import { openWorkspace, type Workspace } from '../close/workspace/workspace.ts';
import { withRunLock } from '../database/run-lock.ts';
import { withDatabase } from '../database/with-database.ts';

/** Open what the closes of an entity know so far, without taking their lock, and close it again. */
export const withWorkspace = <Result>(
  { databases, entity, resolveUrl }: LoadedConfiguration,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> =>
  withDatabase(resolveUrl(databases.workspace), async (database) =>
    work(await openWorkspace(database, entity)),
  );

/** How a process works alone on a workspace. */
export type Alone = {
  readonly process: number;
  /** Where the periods of all entities are published. */
  readonly output: string;
};

/**
 * The same, alone: this process holds the run lock while the work lasts. Whatever writes or sends works here, so this is
 * where a workspace that lacks a published lock or signature is refused.
 *
 * @throws {TieoutError} E_RUN_LOCKED, E_LOCK_UNKNOWN
 */
export const withWorkspaceAlone = <Result>(
  configuration: LoadedConfiguration,
  alone: Alone,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> =>
  withWorkspaceAdopting(configuration, alone, async (workspace) => {
    await refuseUnknownLocks(workspace, join(alone.output, configuration.entity));
    return work(workspace);
  });

/** The same, where the workspace is about to be given the locks and signatures that it lacks. @throws E_RUN_LOCKED */
export const withWorkspaceAdopting = <Result>(
  { databases, entity, resolveUrl }: LoadedConfiguration,
  { process }: Pick<Alone, 'process'>,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> =>
  withDatabase(resolveUrl(databases.workspace), (database) =>
    withRunLock(database, `process ${process}`, async () => work(await openWorkspace(database, entity))),
  );
