import type { CloseOptions } from '../../cli/io.ts';
import type { LoadedConfiguration } from '../../close/configuration/load-configuration.ts';
import { outputOf } from '../../close/configuration/output-of.ts';
import type { ClosePorts } from '../../close/stages/run/close-ports.ts';
import { withAnswers } from '../../core/answers.ts';
import { NO_WORKSPACE } from '../../core/no-workspace.ts';
import type { Database } from '../../database/database.ts';
import { withRunLock } from '../../database/run-lock.ts';
import type { Clock } from '../../kernel/clock.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { ownService, withService } from '../build-service.ts';
import { programDigest } from '../program-digest.ts';

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
 * Builds the ports of a close, holds the run lock, and closes everything after. Its state is the folder `.tieout`: there it holds the run lock, and
 * keeps the answers of a remote service.
 */
export const buildClose = async <Result>(
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
