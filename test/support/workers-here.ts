import { join } from 'node:path';
import { monthlyClose } from '../../pipelines/monthly-close.ts';
import { buildClose } from '../../src/app/close/build-close.ts';
import { buildWorker } from '../../src/app/close/build-worker.ts';
import { loadConfiguration } from '../../src/close/configuration/load-configuration.ts';
import { instant } from '../../src/kernel/calendar.ts';
import { fixedClock } from '../../src/kernel/clock.ts';
import { silentProgress } from '../../src/runtime/progress.ts';
import { neverStopping, type Stopping } from '../../src/runtime/stopping.ts';

type HandOut = NonNullable<Parameters<typeof buildClose>[0]['workers']>;
type WorkerPorts = Parameters<Parameters<typeof buildWorker>[1]>[0];
type Batch = Parameters<WorkerPorts['doBatch']>[0];

const settings = {
  content: undefined,
  clock: fixedClock(instant(Date.UTC(2026, 10, 2))),
  version: '0',
  variable: () => undefined,
  isEnding: () => false,
  process: process.pid,
};

const configurationIn = (folder: string) => loadConfiguration(join(folder, 'tieout.yaml'));

/** Close October 2026 of the configuration in a folder, by workers where there are options for them. */
export const closeIn = async (
  folder: string,
  workers?: Partial<HandOut>,
  stopping: Stopping = neverStopping,
  onWait: (text: string) => void = () => {},
) =>
  buildClose(
    {
      ...settings,
      configuration: await configurationIn(folder),
      output: join(folder, 'out'),
      recompute: false,
      maxCalculations: undefined,
      onWait,
      ...(workers && {
        workers: { lostAfterSeconds: 10, patienceSeconds: 20, itemsPerBatch: 10, ...workers },
      }),
    },
    (ports) => monthlyClose.run({ ...ports, progress: silentProgress, stopping }, { period: '2026-10' }),
  );

export type TestWorker = {
  /** The stages of the batches that it has done. */
  readonly done: readonly string[];
  /** Why it ended by itself; `undefined` when it was asked to stop. */
  readonly ended: Promise<string | undefined>;
  readonly stop: () => Promise<unknown>;
};

type WorkerOptions = {
  readonly version?: string;
  readonly content?: string;
  readonly onBatch?: () => void;
  /** Does every batch twice, as happens to one whose worker was lost. */
  readonly isForgetful?: boolean;
};

/** A worker in this process, with the configuration in a folder. */
export const startWorker = async (
  folder: string,
  { version = '0', content, onBatch = () => {}, isForgetful = false }: WorkerOptions = {},
): Promise<TestWorker> => {
  const done: string[] = [];
  let isAsked = false;
  const configurations = [await configurationIn(folder)];
  const ready = Promise.withResolvers<void>();
  const ended = buildWorker({ ...settings, version, content, configurations }, ({ doBatch, takeBatches }) => {
    ready.resolve();
    return takeBatches({
      stopping: { isAsked: () => isAsked },
      work: async (work, lease) => {
        const batch = work as Batch;
        onBatch();
        const outcome = await doBatch(batch, lease.check);
        if (isForgetful) await doBatch(batch, lease.check);
        if ('done' in outcome) done.push(batch.stage);
        return outcome;
      },
      told: () => {},
    });
  });
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
