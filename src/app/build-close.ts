import { rm } from 'node:fs/promises';
import { withAnswers } from '../ask/answers.ts';
import { type LoadedConfiguration, outputOf, withDecisions } from '../configuration/load-configuration.ts';
import { partsFolder } from '../core/reading.ts';
import { systemClock } from '../kernel/calendar.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts, QueuedWorkers } from '../periods/close-ports.ts';
import { noteFailedStart } from '../periods/runs.ts';
import type { HandOutOptions } from '../queue/distribute-batches.ts';
import { silentProgress, stopIfAsked, type Watch } from '../runtime/pipeline.ts';
import { type ServiceOptions, withRunLock, withService } from './build-service.ts';
import { programDigest, programVersion } from './program.ts';

/** Options of a close besides its configuration. */
export type CloseOptions = {
  readonly output?: string | undefined;
  readonly content?: string | undefined;
  readonly workingPapers?: boolean | undefined;
  /** Replaces the configuration's limit. */
  readonly maxCalculations?: number | undefined;
  /** The periods whose run is noted as stopped if it cannot begin. */
  readonly periods?: readonly FilingPeriod[];
  /** Called when a remote service or missing workers delay the run. */
  readonly onWait?: ((text: string) => void) | undefined;
  /** Hands out batches to workers. */
  readonly workers?: (HandOutOptions & Pick<QueuedWorkers, 'salesPerBatch'>) | undefined;
};

type Options = CloseOptions & Omit<ServiceOptions, 'mayCall' | 'content'>;

/** Builds the ports of a close, holds the run lock, and closes everything after. */
export const buildClose = <Result>(
  options: Options,
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  const { configuration, clock, periods = [] } = options;
  const output = outputOf(configuration, options.output);
  return withRunLock(configuration, async (state) => {
    let hasBegun = false;
    try {
      return await buildPorts({ ...options, output, state }, (ports) => {
        hasBegun = true;
        return work(ports);
      });
    } catch (error) {
      // The error itself counts more than a note of it.
      if (!hasBegun)
        await noteFailedStart({ configuration, clock, state, output }, periods, error).catch(() => {});
      throw error;
    } finally {
      // It has whole sales, of which nothing is needed after the run. What a disk does not let go is left to the next run.
      await rm(partsFolder({ state }), { recursive: true, force: true }).catch(() => {});
    }
  });
};

/** The state of a close is the folder `.tieout`: there it keeps the answers of a remote service. */
const buildPorts = async <Result>(
  options: Options & { readonly output: string; readonly state: string },
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  const { clock, version, state, output } = options;
  const { workingPapers, maxCalculations } = options;
  const configuration = await withDecisions(options.configuration);
  return withService(options, async (service) => {
    const ports: ClosePorts = {
      ...service,
      configuration,
      clock,
      state,
      output,
      workingPapers,
      program: `Tieout ${version}`,
      programDigest: programDigest(),
      maxCalculations: maxCalculations ?? configuration.service.maxCalculations,
    };
    if (configuration.service.url === undefined) return shared(options, ports, work);
    return withAnswers(state, (answers) => shared(options, { ...ports, answers }, work));
  });
};

/** Runs work with the workers of a queue, where they are asked for. */
const shared = async <Result>(
  { workers, configuration, ending }: Options,
  ports: ClosePorts,
  work: (ports: ClosePorts) => Promise<Result>,
): Promise<Result> => {
  if (!workers) return work(ports);
  const { withQueuedWorkers } = await import('./build-worker.ts');
  const waiting = () => stopIfAsked({ isAsked: () => ending?.aborted === true }, 'start');
  return withQueuedWorkers(configuration, { ...workers, waiting }, (queued) => work({ ...ports, queued }));
};

/**
 * Runs work of a program that uses the library with everything a close has: the run lock and the tax service. The key of a remote service comes from the environment. Nothing is printed.
 */
export const withClose = <Result>(
  configuration: LoadedConfiguration,
  environment: Readonly<Record<string, string | undefined>>,
  work: (close: ClosePorts & Watch) => Promise<Result>,
): Promise<Result> =>
  buildClose(
    {
      configuration,
      clock: systemClock,
      version: programVersion(),
      variable: (name) => environment[name],
    },
    (close) => work({ ...close, progress: silentProgress }),
  );
