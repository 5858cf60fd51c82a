import { join } from 'node:path';
import { neverStopping, type Stopping } from '../../src/runtime/pipeline.ts';
import { type HandOut, pipelines, type WorkerPorts, withPorts, withWorker } from '../entry/close.ts';

type Batch = Parameters<WorkerPorts['doBatch']>[0];

/** Close October 2026 of the configuration in a folder, by workers where there are options for them. */
export const closeIn = (folder: string, workers?: Partial<HandOut>, stopping: Stopping = neverStopping) =>
  withPorts(
    join(folder, 'tieout.yaml'),
    (ports) => pipelines.monthlyClose.run({ ...ports, stopping }, { period: '2026-10' }),
    {
      version: '0',
      ...(workers && {
        workers: { lostAfterSeconds: 10, patienceSeconds: 20, salesPerBatch: 10, ...workers },
      }),
    },
  );

export type TestWorker = {
  /** The days of the batches that it has done. */
  readonly done: readonly string[];
  /** Why it ended by itself; `undefined` when it was asked to stop. */
  readonly ended: Promise<string | undefined>;
  readonly stop: () => Promise<unknown>;
};

type WorkerOptions = {
  readonly version?: string;
  readonly content?: string;
  /** Work that is done before each batch. */
  readonly onBatch?: () => Promise<void> | undefined;
  /** Does every batch twice, as happens to one whose worker was lost. */
  readonly isForgetful?: boolean;
};

/** A worker in this process, with the configuration in a folder. */
export const startWorker = async (
  folder: string,
  { version = '0', content, onBatch = () => undefined, isForgetful = false }: WorkerOptions = {},
): Promise<TestWorker> => {
  const done: string[] = [];
  let isAsked = false;
  const ready = Promise.withResolvers<void>();
  const takeAll = ({ doBatch, takeBatches }: WorkerPorts) => {
    ready.resolve();
    return takeBatches({
      stopping: { isAsked: () => isAsked },
      work: async (work, lease) => {
        const batch = JSON.parse(work) as Batch;
        await onBatch();
        const outcome = await doBatch(batch, lease.check);
        if (isForgetful) await doBatch(batch, lease.check);
        if ('done' in outcome) done.push(batch.day);
        return outcome;
      },
      told: () => {},
    });
  };
  const ended = withWorker(join(folder, 'tieout.yaml'), takeAll, { version, content });
  ended.catch(ready.reject);
  await ready.promise;
  return {
    done,
    ended,
    stop: () => {
      isAsked = true;
      return ended;
    },
  };
};
