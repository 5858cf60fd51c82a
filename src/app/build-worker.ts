import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { type BatchTaker, batchTaker } from '../core/share.ts';
import { withDatabase } from '../database/connect.ts';
import { withRunLock } from '../database/run-lock.ts';
import { TieoutError } from '../kernel/errors.ts';
import type { ClosePorts, QueuedWorkers } from '../periods/close-ports.ts';
import { type HandOut, handOut } from '../queue/distribute-batches.ts';
import { type Lease, type Taking, takeBatches, withBoss, workerName } from '../queue/take-batches.ts';
import { type ServiceOptions, withService } from './build-service.ts';
import { programDigest } from './program.ts';

/** The ports of a worker: those of each entity, and the queue. */
export type WorkerPorts = {
  /** The name of the worker. */
  readonly name: string;
  readonly entities: readonly string[];
  /** Does a batch of any of these entities. */
  readonly doBatch: BatchTaker;
  /** Resolves with the reason why it refused a batch, or `undefined` when it was asked to stop. */
  readonly takeBatches: (taking: Taking) => Promise<string | undefined>;
};

type Options = Omit<ServiceOptions, 'configuration' | 'mayCall' | 'onWait'> & {
  readonly configurations: readonly LoadedConfiguration[];
  /** The process id, part of the worker's name. */
  readonly process: number;
};

/** Builds what a worker of these entities needs, and closes it after the work. All of them must use one queue. */
export const buildWorker = <Result>(
  options: Options,
  work: (ports: WorkerPorts) => Promise<Result>,
): Promise<Result> => {
  const name = workerName(options.process);
  const url = sharedDatabase(options.configurations);
  const entities = options.configurations.map(({ entity }) => entity);
  return withDatabase(url, (database) =>
    withBoss(url, database, entities, (boss) => {
      let lease: Lease | undefined;
      const mayCall = () => lease?.check();
      const takeFrom: WorkerPorts['takeBatches'] = (taking) =>
        takeBatches(
          boss,
          { name, entities },
          {
            ...taking,
            work: (batch, taken) => {
              lease = taken;
              return taking.work(batch, taken);
            },
          },
        );
      return withCloses({ ...options, mayCall }, options.configurations, [], (closes) =>
        work({ name, entities, doBatch: batchTaker(closes), takeBatches: takeFrom }),
      );
    }),
  );
};

/** Opens the ports of all entities, each nested within the one before. */
const withCloses = async <Result>(
  shared: Omit<ServiceOptions, 'configuration'>,
  [configuration, ...others]: readonly LoadedConfiguration[],
  opened: readonly ClosePorts[],
  work: (closes: readonly ClosePorts[]) => Promise<Result>,
): Promise<Result> => {
  if (!configuration) return work(opened);
  return withService({ ...shared, configuration }, (service) => {
    const close: ClosePorts = {
      ...service,
      configuration,
      state: configuration.resolvePath('.tieout'),
      output: configuration.resolvePath(configuration.output),
      program: `Tieout ${shared.version}`,
      programDigest: programDigest(),
      clock: shared.clock,
    };
    return withCloses(shared, others, [...opened, close], work);
  });
};

const sharedDatabase = (configurations: readonly LoadedConfiguration[]): string => {
  const [url = '', ...others] = new Set(configurations.map(queueDatabase));
  if (others.length === 0) return url;
  throw new TieoutError({
    code: 'E_WORKERS_DATABASE',
    message: 'the entities of the configuration have their queues in different databases',
    nextStep: 'Name one with --entity, and start workers for each of them',
  });
};

type QueueOptions = Omit<HandOut, 'entity'> & Pick<QueuedWorkers, 'salesPerBatch'>;

/** Runs work with the workers that take batches from a queue, which no other close uses meanwhile. */
export const withQueuedWorkers = <Result>(
  configuration: LoadedConfiguration,
  { salesPerBatch, ...options }: QueueOptions,
  work: (workers: QueuedWorkers) => Promise<Result>,
): Promise<Result> => {
  const url = queueDatabase(configuration);
  const { entity } = configuration;
  return withDatabase(url, (database) =>
    withRunLock(database, () =>
      withBoss(url, database, [entity], (boss) =>
        handOut(boss, { ...options, entity }, (ask) =>
          work({ salesPerBatch, ask, checkLock: database.checkLock }),
        ),
      ),
    ),
  );
};

/** Returns the address of the database with the queue. @throws {TieoutError} E_WORKERS_DATABASE if workers cannot reach it */
export const queueDatabase = ({ entity, databases, service }: LoadedConfiguration): string => {
  const { ledger, queue = ledger } = databases;
  const needed = {
    'databases.queue': queue,
    ...(service.url === undefined && { 'databases.ledger': ledger }),
  };
  const local = Object.entries(needed).find(([, url]) => url.startsWith('sqlite:'));
  if (!local) return queue;
  throw new TieoutError({
    code: 'E_WORKERS_DATABASE',
    message: `${entity}: \`${local[0]}\` is a file of one machine, which workers on others cannot reach`,
    nextStep: 'Give a postgres:// address there, or close without workers',
  });
};
