import type { LoadedConfiguration } from '../../close/configuration/load-configuration.ts';
import type { Database } from '../../database/database.ts';
import { type HandOutOptions, queuedWorkers } from '../../queue/distribute-batches.ts';
import { withBoss } from '../../queue/with-boss.ts';
import type { Workers } from '../../runtime/worker-pool.ts';

/**
 * Runs work with the workers that take batches from the queue in a configuration's workspace. `told` receives a sentence
 * when one is lost or none is there.
 */
export const withQueuedWorkers = <Result>(
  { databases }: LoadedConfiguration,
  database: Database,
  options: HandOutOptions,
  told: (text: string) => void,
  work: (workers: Workers) => Promise<Result>,
): Promise<Result> =>
  withBoss(databases.workspace, database, (boss) => work(queuedWorkers(boss, options, told)));
