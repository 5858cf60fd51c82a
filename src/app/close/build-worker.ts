import type { WorkerPorts } from '../../cli/io.ts';
import type { LoadedConfiguration } from '../../close/configuration/load-configuration.ts';
import type { ClosePorts } from '../../close/stages/run/close-ports.ts';
import { openWorkspace } from '../../close/workspace/workspace.ts';
import type { Database } from '../../database/database.ts';
import { withDatabase } from '../../database/with-database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { TieoutError } from '../../kernel/errors.ts';
import type { Lease } from '../../queue/lease.ts';
import { workerName } from '../../queue/messages.ts';
import { takeBatches } from '../../queue/take-batches.ts';
import { withBoss } from '../../queue/with-boss.ts';
import { ownService, withService } from '../build-service.ts';
import { programDigest } from '../program-digest.ts';
import { closeBatchDoer } from './batch-stages.ts';
import { refuseLocalDatabases } from './refuse-local-databases.ts';

type Options = {
  readonly configurations: readonly LoadedConfiguration[];
  readonly content: string | undefined;
  readonly clock: Clock;
  readonly version: string;
  /** Reads an environment variable; secrets are stored nowhere else. */
  readonly variable: (name: string) => string | undefined;
  /** Whether the process was asked to stop. */
  readonly isEnding: () => boolean;
  /** The process id, part of the worker's name. */
  readonly process: number;
};

/**
 * Builds what a worker of these entities needs, and closes it after the work. Their workspaces must be in one database.
 * The run lock stays with the close.
 */
export const buildWorker = <Result>(
  options: Options,
  work: (ports: WorkerPorts) => Promise<Result>,
): Promise<Result> => {
  const name = workerName(options.process);
  const url = sharedDatabase(options.configurations);
  const entities = options.configurations.map(({ entity }) => entity);
  return withDatabase(url, (database) =>
    withBoss(url, database, entities, (boss) => {
      const leases = new Set<Lease>();
      // A process that failed to renew one lease in time was suspended, so its other leases may have expired too.
      const mayCall = () => {
        for (const lease of leases) lease.check();
      };
      const takeFrom: WorkerPorts['takeBatches'] = (taking) =>
        takeBatches(
          boss,
          { name, entities },
          {
            ...taking,
            work: async (batch, taken) => {
              leases.add(taken);
              return taking.work(batch, taken).finally(() => leases.delete(taken));
            },
          },
        );
      const shared = { ...options, database, programDigest: programDigest(), mayCall };
      return withCloses(shared, options.configurations, [], (closes) =>
        work({ name, closes, doBatch: closeBatchDoer(closes), takeBatches: takeFrom }),
      );
    }),
  );
};

type Shared = Omit<Options, 'configurations'> & {
  readonly database: Database;
  readonly programDigest: string;
  readonly mayCall: () => void;
};

/** Opens the ports of all entities, each nested within the one before. */
const withCloses = async <Result>(
  shared: Shared,
  [configuration, ...others]: readonly LoadedConfiguration[],
  opened: readonly ClosePorts[],
  work: (closes: readonly ClosePorts[]) => Promise<Result>,
): Promise<Result> => {
  if (!configuration) return work(opened);
  const workspace = await openWorkspace(shared.database, configuration.entity);
  return withService({ ...shared, configuration, ...ownService(configuration) }, (service) => {
    const close: ClosePorts = {
      ...service,
      configuration,
      workspace,
      output: configuration.resolvePath(configuration.output),
      program: `Tieout ${shared.version}`,
      programDigest: shared.programDigest,
      clock: shared.clock,
      recompute: false,
    };
    return withCloses(shared, others, [...opened, close], work);
  });
};

const sharedDatabase = (configurations: readonly LoadedConfiguration[]): string => {
  for (const configuration of configurations) refuseLocalDatabases(configuration);
  const [url = '', ...others] = new Set(configurations.map(({ databases }) => databases.workspace));
  if (others.length === 0) return url;
  throw new TieoutError({
    code: 'E_WORKERS_DATABASE',
    message: 'the entities of the configuration keep their workspaces in different databases',
    nextStep: 'Name one with --entity, and start workers for each of them',
  });
};
