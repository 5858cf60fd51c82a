import type { LoadedConfiguration } from '../../close/configuration/load-configuration.ts';
import { withRunLock } from '../../database/run-lock.ts';
import { withDatabase } from '../../database/with-database.ts';
import { type HandOut, handOut } from '../../queue/distribute-batches.ts';
import { withBoss } from '../../queue/with-boss.ts';
import type { QueuedWorkers } from '../../run/close-ports.ts';
import { queueDatabase } from './queue-database.ts';

type Options = Omit<HandOut, 'entity'> & Pick<QueuedWorkers, 'salesPerBatch'> & { readonly process: number };

/** Runs work with the workers that take batches from a queue, which no other close uses meanwhile. */
export const withQueuedWorkers = <Result>(
  configuration: LoadedConfiguration,
  { salesPerBatch, process, ...options }: Options,
  work: (workers: QueuedWorkers) => Promise<Result>,
): Promise<Result> => {
  const url = queueDatabase(configuration);
  const { entity } = configuration;
  return withDatabase(url, (database) =>
    withRunLock(database, `process ${process}`, () =>
      withBoss(url, database, [entity], (boss) =>
        handOut(boss, { ...options, entity }, (ask) => work({ salesPerBatch, ask })),
      ),
    ),
  );
};
