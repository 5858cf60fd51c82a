import { chooseEach, type LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { designedError, type ExitCode, exitCodeOf, worstOf } from '../kernel/errors.ts';
import type { Watch } from '../runtime/pipeline.ts';
import { type LogFields, loggedProgress, onOwnLine, type RunLog } from '../runtime/progress.ts';
import type { CommandIo, RunLogLevel } from './io.ts';
import { type CloseCommandOptions, type EntityOptions, progressOf } from './options.ts';
import { errorObject, errorText } from './print.ts';

/** The result of a command for one entity. */
export type EntityOutcome<Value> =
  | { readonly entity: string; readonly code: ExitCode; readonly value: Value }
  | { readonly entity: string; readonly code: ExitCode; readonly error: unknown };

export const isFailure = <Value>(
  outcome: EntityOutcome<Value>,
): outcome is Extract<EntityOutcome<Value>, { readonly error: unknown }> => 'error' in outcome;

/** Runs work for each entity, in order. An error of one entity becomes its outcome, and the others continue. */
export const overEntities = async <Value>(
  configurations: readonly LoadedConfiguration[],
  codeOf: (value: Value) => ExitCode,
  work: (configuration: LoadedConfiguration) => Promise<Value>,
): Promise<readonly EntityOutcome<Value>[]> => {
  const outcomes: EntityOutcome<Value>[] = [];
  for (const configuration of configurations) {
    const { entity } = configuration;
    try {
      const value = await work(configuration);
      outcomes.push({ entity, code: codeOf(value), value });
    } catch (error) {
      outcomes.push({ entity, code: exitCodeOf(error), error });
    }
  }
  return outcomes;
};

/** The context of work on a period of one entity. */
export type EntityRun = {
  readonly configuration: LoadedConfiguration;
  readonly entity: string;
  readonly isSeveral: boolean;
  readonly watch: RunWatch;
};

/** Runs work on a period of each selected entity, watched and logged. If there are several, each is announced. */
export const overPeriod = async <Value>(
  io: CommandIo,
  { period, ...options }: CloseCommandOptions & { readonly period: string },
  codeOf: (value: Value) => ExitCode,
  work: (run: EntityRun) => Promise<Value>,
): Promise<readonly EntityOutcome<Value>[]> => {
  return watched(io, options, async (watch) => {
    const configurations = await watch.configurations(period);
    const isSeveral = configurations.length > 1;
    return overEntities(configurations, codeOf, (configuration) => {
      const { entity } = configuration;
      if (isSeveral && !options.json && !options.quiet) io.print(`${entity} ${period}\n`);
      return logged(
        watch.log,
        { entity, period },
        () => work({ configuration, entity, isSeveral, watch }),
        (value) => ({ exit_code: codeOf(value) }),
      );
    });
  });
};

/** Returns the outcomes as one object: an entry per entity, in the same form as for a single entity. */
export const entitiesObject = <Value>(
  outcomes: readonly EntityOutcome<Value>[],
  exitCode: ExitCode,
  objectOf: (value: Value) => object,
): object => ({
  exit_code: exitCode,
  entities: outcomes.map((outcome) =>
    isFailure(outcome)
      ? { entity: outcome.entity, exit_code: outcome.code, ...errorObject(outcome.error) }
      : objectOf(outcome.value),
  ),
});

type Shown = { readonly json?: boolean; readonly quiet?: boolean };

export type PrintOptions<Value> = {
  /** The fields that precede the entities in their common object, such as the period. */
  readonly about: object;
  readonly figuresOf: (value: Value) => object;
  readonly textOf: (value: Value, isSeveral: boolean) => string;
};

/**
 * Prints the result of a command for its entities: as a text each for people, as one object for machines. A single
 * entity is printed without mention of others.
 *
 * @returns The worst exit code
 * @throws The error of a single entity
 */
export const printOutcomes = <Value>(
  io: CommandIo,
  { json, quiet }: Shown,
  outcomes: readonly EntityOutcome<Value>[],
  { about, figuresOf, textOf }: PrintOptions<Value>,
): ExitCode => {
  const [only, ...others] = outcomes;
  const isSeveral = others.length > 0;
  if (only && !isSeveral && isFailure(only)) throw only.error;
  const code = warnOfFailures(io, outcomes);
  const done = outcomes.flatMap((outcome) => (isFailure(outcome) ? [] : [outcome.value]));
  const [alone] = isSeveral ? [] : done;
  if (json) {
    const object = alone ? figuresOf(alone) : { ...about, ...entitiesObject(outcomes, code, figuresOf) };
    io.print(`${JSON.stringify(object, null, 2)}\n`);
  } else if (!quiet) {
    for (const value of done) io.print(textOf(value, isSeveral));
  }
  return code;
};

/** Prints the error of each entity that was stopped, and returns the worst exit code of all. */
export const warnOfFailures = (
  io: CommandIo,
  outcomes: readonly EntityOutcome<unknown>[],
  period = '',
): ExitCode => {
  for (const { entity, error } of outcomes.filter(isFailure))
    io.warn(`${`${entity} ${period}`.trimEnd()}: ${errorText(error)}`);
  return worstOf(outcomes.map(({ code }) => code));
};

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
