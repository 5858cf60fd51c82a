import { chooseEach, type LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { designedError } from '../kernel/disk-failure.ts';
import { exitCodeOf } from '../kernel/exit-code.ts';
import type { Watch } from '../runtime/pipeline.ts';
import { onOwnLine } from '../runtime/progress.ts';
import { type LogFields, loggedProgress, type RunLog } from '../runtime/run-log.ts';
import { type EntityOptions, progressOf } from './close-options.ts';
import type { CommandIo, RunLogLevel } from './io.ts';

export type WatchOptions = Pick<EntityOptions, 'config' | 'entity'> & {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly logLevel?: RunLogLevel;
  readonly logFile?: string;
};

export type RunWatch = {
  /** Returns the watch on the run of one entity; if `told` is false, only its result is printed. */
  readonly of: (entity: string, period: string, told?: boolean) => Required<Watch>;
  /** Reports that something external delays the run. */
  readonly waiting: (text: string) => void;
  /**
   * Loads the configurations of the selected entities; problems of their file are logged. Of several, one whose decision
   * files cannot be read keeps the error for its own close.
   */
  readonly configurations: (period: string) => Promise<readonly LoadedConfiguration[]>;
  readonly log: RunLog;
};

const STOPPING =
  'Stopping when the batch at work is done; the same command goes on later. A second signal ends at once.\n';

/** Runs work that is watched, logged, and stopped when the process is asked to end. */
export const watched = async <Result>(
  io: CommandIo,
  options: WatchOptions,
  work: (watch: RunWatch) => Promise<Result>,
): Promise<Result> => {
  const { log, close } = await io.openLog({ level: options.logLevel, file: options.logFile });
  const stopping = io.watchSignals(() => {
    log.warn('the run was asked to stop');
    if (!options.quiet) io.warn(STOPPING);
  });
  try {
    return await work({
      of: (entity, period, told = true) => ({
        progress: loggedProgress(progressOf(io, told ? options : { quiet: true }), log, { entity, period }),
        stopping,
      }),
      waiting: (text) => {
        log.warn(text);
        if (!options.quiet && !options.json) io.warn(io.isTerminal ? onOwnLine(text) : `${text}\n`);
      },
      configurations: async (period) => {
        const { config, entity } = options;
        try {
          const chosen = await chooseEach(config, entity);
          const [only, ...others] = chosen;
          if (only?.undecided && others.length === 0) throw only.undecided;
          return chosen;
        } catch (error) {
          logStop(log, error, { configuration: config, period });
          throw error;
        }
      },
      log,
    });
  } finally {
    stopping.release();
    close();
  }
};

/** Logs how the run of an entity ends. */
export const logged = async <Result>(
  log: RunLog,
  about: { readonly entity: string; readonly period: string },
  work: () => Promise<Result>,
  fieldsOf: (result: Result) => LogFields = () => ({}),
): Promise<Result> => {
  const startedMs = performance.now();
  const seconds = (): number => Math.round(performance.now() - startedMs) / 1000;
  log.info('a run begins', about);
  try {
    const result = await work();
    log.info('a run is done', { ...about, ...fieldsOf(result), seconds: seconds() });
    return result;
  } catch (error) {
    logStop(log, error, { ...about, seconds: seconds() });
    throw error;
  }
};

const logStop = (log: RunLog, error: unknown, about: LogFields): void => {
  const code = designedError(error)?.code ?? 'E_DEFECT';
  const reason = error instanceof Error ? error.message : String(error);
  log.error('a run stopped', { ...about, code, exit_code: exitCodeOf(error), reason });
};
