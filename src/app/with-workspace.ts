import { join } from 'node:path';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { refuseUnknownLocks } from '../close/periods/refuse-unknown-locks.ts';
import { openWorkspace, type Workspace } from '../close/workspace/workspace.ts';
import { withRunLock } from '../database/run-lock.ts';
import { withDatabase } from '../database/with-database.ts';

/** Opens the workspace of an entity without taking its run lock, runs work with it, and closes it. */
export const withWorkspace = <Result>(
  { databases, entity, resolveUrl }: LoadedConfiguration,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> =>
  withDatabase(resolveUrl(databases.workspace), async (database) =>
    work(await openWorkspace(database, entity)),
  );

/** The settings for exclusive work on a workspace. */
export type Alone = {
  readonly process: number;
  /** The folder in which the periods of all entities are published. */
  readonly output: string;
};

/**
 * Runs work on a workspace while this process holds its run lock. Everything that writes or sends refuses a workspace that
 * lacks a published lock or signature, here or, with the run recorded, where a close is built.
 *
 * @throws {TieoutError} E_RUN_LOCKED, E_LOCK_UNKNOWN
 */
export const withWorkspaceAlone = <Result>(
  configuration: LoadedConfiguration,
  alone: Alone,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> =>
  withRunLocked(configuration, alone, async (workspace) => {
    await refuseForeign(workspace, alone);
    return work(workspace);
  });

/** Refuses a workspace that lacks a lock or signature of its entity's published folders. @throws E_LOCK_UNKNOWN */
export const refuseForeign = (workspace: Workspace, { output }: Pick<Alone, 'output'>): Promise<void> =>
  refuseUnknownLocks(workspace, join(output, workspace.entity));

/** Runs work on a workspace with the run lock, whatever locks it lacks. @throws E_RUN_LOCKED */
export const withRunLocked = <Result>(
  { databases, entity, resolveUrl }: LoadedConfiguration,
  { process }: Pick<Alone, 'process'>,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> =>
  withDatabase(resolveUrl(databases.workspace), (database) =>
    withRunLock(database, `process ${process}`, async () => work(await openWorkspace(database, entity))),
  );
