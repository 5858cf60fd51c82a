import type { CloseOptions } from '../../cli/io.ts';
import type { LoadedConfiguration } from '../../close/configuration/load-configuration.ts';
import { outputOf } from '../../close/configuration/output-of.ts';
import type { ClosePorts } from '../../close/stages/run/close-ports.ts';
import { recordFailedStart } from '../../close/stages/run/record-run.ts';
import type { Workspace } from '../../close/workspace/workspace.ts';
import { withAnswers } from '../../core/answers.ts';
import { NO_WORKSPACE } from '../../core/no-workspace.ts';
import type { Database } from '../../database/database.ts';
import { withRunLock } from '../../database/run-lock.ts';
import type { Clock } from '../../kernel/clock.ts';
import { TieoutError } from '../../kernel/errors.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { stopIfAsked } from '../../runtime/stopping.ts';
import { isOldCore } from '../../runtime/which-core.ts';
import { type BuiltService, ownService, withService } from '../build-service.ts';
import { programDigest } from '../program-digest.ts';
import { refuseForeign, withRunLocked } from '../with-workspace.ts';
import { refuseLocalDatabases } from './refuse-local-databases.ts';
import { withThreads } from './with-threads.ts';

type Options = CloseOptions & {
  readonly configuration: LoadedConfiguration;
  readonly clock: Clock;
  readonly version: string;
  /** Reads an environment variable; secrets are stored nowhere else. */
  readonly variable: (name: string) => string | undefined;
  /** Whether the process was asked to stop. */
  readonly isEnding: () => boolean;
  /** The process id, shown to anyone who finds the lock taken. */
  readonly process: number;
};

/**
 * Builds the ports of a close over the embedded or a remote service, holds the run lock, and closes everything after.
 */
export const buildClose = async <Result>(
  options: Options,
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  const { configuration, workers } = options;
  if (!isOldCore()) return buildDays(options, work);
  if (workers) refuseLocalDatabases(configuration);
  const output = outputOf(configuration, options.output);
  return withRunLocked(configuration, options, (workspace) =>
    closeOver(workspace, { ...options, output }, work),
  );
};

/**
 * Builds the rest of the ports over a workspace, where it records a failed start if the published folders or the
 * decisions cannot be read, or the service cannot be reached. Nothing is recorded in a workspace that is not the one of
 * those folders.
 */
const closeOver = async <Result>(
  workspace: Workspace,
  options: Options & { readonly output: string },
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  const { configuration, clock, output, workers: handOut } = options;
  const place = { configuration, workspace, output, clock };
  const ports = (service: BuiltService): ClosePorts => ({
    ...place,
    ...service,
    program: `Tieout ${options.version}`,
    programDigest: programDigest(),
    recompute: options.recompute,
    workingPapers: options.workingPapers,
    maxCalculations: options.maxCalculations ?? configuration.service.maxCalculations,
  });
  let hasBegun = false;
  try {
    await refuseForeign(workspace, place);
    if (configuration.undecided) throw configuration.undecided;
    return await withService({ ...options, ...ownService(configuration) }, async (service) => {
      hasBegun = true;
      if (!handOut) return withThreads(ports(service), { ...options, ...options.threads }, work);
      const { withQueuedWorkers } = await import('./with-queued-workers.ts');
      const heard = {
        told: options.onWait ?? (() => {}),
        waiting: () => stopIfAsked({ isAsked: options.isEnding }, 'start'),
      };
      return withQueuedWorkers(configuration, workspace.database, { ...handOut, ...heard }, (workers) =>
        work({ ...ports(service), workers }),
      );
    });
  } catch (error) {
    if (!hasBegun && options.run && !isForeign(error)) await recordFailedStart(place, options.run, error);
    throw error;
  }
};

const isForeign = (error: unknown): boolean =>
  error instanceof TieoutError && error.code === 'E_LOCK_UNKNOWN';

/**
 * Builds the ports of a close that has no workspace. Its state is the folder `.tieout`: there it holds the run lock, and
 * keeps the answers of a remote service.
 */
const buildDays = async <Result>(
  options: Options,
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  const { configuration, clock, version, recompute, workingPapers, maxCalculations } = options;
  const state = configuration.resolvePath('.tieout');
  makeFolder(state, 0o700);
  return withRunLock({ place: `${state}/run` } as Database, `process ${options.process}`, async () => {
    if (configuration.undecided) throw configuration.undecided;
    return withService({ ...options, ...ownService(configuration) }, async (service) => {
      const ports: ClosePorts = {
        ...service,
        ...{ configuration, clock, state, recompute, workingPapers, workspace: NO_WORKSPACE },
        output: outputOf(configuration, options.output),
        program: `Tieout ${version}`,
        programDigest: programDigest(),
        maxCalculations: maxCalculations ?? configuration.service.maxCalculations,
      };
      if (configuration.service.url === undefined) return work(ports);
      return withAnswers(state, ports, async (answers) => {
        const done = await work({ ...ports, answers });
        if (recompute) await answers.endRepetition();
        return done;
      });
    });
  });
};
