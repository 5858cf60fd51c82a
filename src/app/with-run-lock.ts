import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { withRunLock as withLockOn } from '../database/run-lock.ts';
import { makeFolder } from '../runtime/make-folder.ts';

/**
 * Runs work while this process holds the run lock of a configuration, which lies in the folder of its state.
 *
 * @param process its id, shown to anyone who finds the lock taken
 * @throws {TieoutError} E_RUN_LOCKED
 */
export const withRunLock = <Result>(
  { resolvePath }: LoadedConfiguration,
  process: number,
  work: (state: string) => Promise<Result>,
): Promise<Result> => {
  const state = resolvePath('.tieout');
  makeFolder(state, 0o700);
  return withLockOn({ place: `${state}/run` }, `process ${process}`, () => work(state));
};
