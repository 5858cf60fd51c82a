import { buildLog } from '../app/build-log.ts';
import { chooseEach, type LoadedConfiguration } from '../configuration/load-configuration.ts';
import { designedError, type ExitCode, exitCodeOf, worstOf } from '../kernel/errors.ts';
import { outdatedText } from '../periods/period-folder.ts';
import type { OutdatedPeriod } from '../periods/runs.ts';
import type { Watch } from '../runtime/pipeline.ts';
import { type LogFields, loggedProgress, onOwnLine, type RunLog } from '../runtime/progress.ts';
import type { CommandIo } from './io.ts';
import { type CloseCommandOptions, progressOf } from './options.ts';
import { errorObject, errorText } from './print.ts';

/** The result of a command for one entity. */
export type EntityOutcome<Value> =
  | { readonly entity: string; readonly code: ExitCode; readonly value: Value }
  | { readonly entity: string; readonly code: ExitCode; readonly error: unknown };

export const isFailure = <Value>(
  outcome: EntityOutcome<Value>,
): outcome is Extract<EntityOutcome<Value>, { readonly error: unknown }> => 'error' in outcome;

/** The context of work on a period of one entity. */
export type EntityRun = {
  readonly configuration: LoadedConfiguration;
  readonly entity: string;
  /** Returns the watch on a run; if `told` is false, only its result is printed. */
  readonly watch: (period: string, told?: boolean) => Required<Watch>;
  /** Reports that something external delays the run. */
  readonly onWait: (text: string) => void;
};

type PeriodOptions = CloseCommandOptions & { readonly period: string };

type Judged<Value> = {
  readonly codeOf: (value: Value) => ExitCode;
  /** What the log has of the end of a run besides its exit code. */
  readonly fieldsOf?: (value: Value) => LogFields;
};

/**
 * Runs work on a period of each selected entity, in order, watched and logged. If there are several, each is announced,
 * and an error of one becomes its outcome, while the others continue.
 */
export const overPeriod = async <Value>(
  io: CommandIo,
  options: PeriodOptions,
  { codeOf, fieldsOf = () => ({}) }: Judged<Value>,
  work: (run: EntityRun) => Promise<Value>,
): Promise<readonly EntityOutcome<Value>[]> => {
  const { period, json = false, quiet = false } = options;
  const { log, close } = buildLog({ level: options.logLevel, file: options.logFile }, io.warn);
  const stopping = io.watchSignals(() => {
    log.warn('the run was asked to stop');
    if (!quiet) io.warn(STOPPING);
  });
  const onWait = (text: string): void => {
    log.warn(text);
    if (!quiet && !json) io.warn(io.isTerminal ? onOwnLine(text) : `${text}\n`);
  };
  try {
    const configurations = await chosenOf(options, log);
    const outcomes: EntityOutcome<Value>[] = [];
    for (const configuration of configurations) {
      const { entity } = configuration;
      if (configurations.length > 1 && !json && !quiet) io.print(`${entity} ${period}\n`);
      const watch: EntityRun['watch'] = (label, told = true) => ({
        progress: loggedProgress(progressOf(io, told ? options : { quiet: true }), log, {
          entity,
          period: label,
        }),
        stopping,
      });
      const startedMs = performance.now();
      const about = (): LogFields => ({
        entity,
        period,
        seconds: Math.round(performance.now() - startedMs) / 1000,
      });
      log.info('a run begins', { entity, period });
      try {
        const value = await work({ configuration, entity, watch, onWait });
        const code = codeOf(value);
        log.info('a run is done', { ...about(), exit_code: code, ...fieldsOf(value) });
        outcomes.push({ entity, code, value });
      } catch (error) {
        logStop(log, error, about());
        outcomes.push({ entity, code: exitCodeOf(error), error });
      }
    }
    return outcomes;
  } finally {
    stopping.release();
    close();
  }
};

const STOPPING =
  'Stopping when the batch at work is done; the same command goes on later. A second signal ends at once.\n';

/**
 * Loads the configurations of the selected entities; problems of their file are logged. Of several, one whose decision
 * files cannot be read keeps the error for its own close.
 */
const chosenOf = async (
  { config, entity, period }: PeriodOptions,
  log: RunLog,
): Promise<readonly LoadedConfiguration[]> => {
  try {
    const chosen = await chooseEach(config, entity);
    const [only, ...others] = chosen;
    if (only?.undecided && others.length === 0) throw only.undecided;
    return chosen;
  } catch (error) {
    logStop(log, error, { configuration: config, period });
    throw error;
  }
};

const logStop = (log: RunLog, error: unknown, about: LogFields): void => {
  const code = designedError(error)?.code ?? 'E_DEFECT';
  const reason = error instanceof Error ? error.message : String(error);
  log.error('a run stopped', { ...about, code, exit_code: exitCodeOf(error), reason });
};

type Printing<Value> = {
  readonly period: string;
  readonly figuresOf: (value: Value) => object;
  readonly textOf: (value: Value, isSeveral: boolean) => string;
  /** The last line after the texts of several entities. */
  readonly endOf?: (worst: ExitCode) => string;
};

/**
 * Prints the result of a command for its entities: as a text for people, as one object for machines, which for several
 * has an entry per entity, in the same form as for a single one, and the errors of those that were stopped.
 *
 * @returns The worst exit code
 * @throws The error of a single entity
 */
export const printOutcomes = <Value>(
  io: CommandIo,
  { json, quiet }: Pick<CloseCommandOptions, 'json' | 'quiet'>,
  outcomes: readonly EntityOutcome<Value>[],
  { period, figuresOf, textOf, endOf }: Printing<Value>,
): ExitCode => {
  const [only] = outcomes;
  const isSeveral = outcomes.length > 1;
  if (only && !isSeveral && isFailure(only)) throw only.error;
  for (const { entity, error } of outcomes.filter(isFailure))
    io.warn(`${entity} ${period}: ${errorText(error)}`);
  const code = worstOf(outcomes.map((outcome) => outcome.code));
  const done = outcomes.flatMap((outcome) => (isFailure(outcome) ? [] : [outcome.value]));
  if (json) {
    const entities = outcomes.map((outcome) =>
      isFailure(outcome)
        ? { entity: outcome.entity, exit_code: outcome.code, ...errorObject(outcome.error) }
        : figuresOf(outcome.value),
    );
    const object = isSeveral ? { period, exit_code: code, entities } : entities[0];
    io.print(`${JSON.stringify(object, null, 2)}\n`);
  } else if (!quiet) {
    for (const value of done) io.print(textOf(value, isSeveral));
    if (isSeveral && endOf) io.print(endOf(code));
  }
  return code;
};

/** Maximum number of periods listed; `tieout status` has all of them. */
const SHOWN_MAX = 6;

/** Warns, even when only errors are printed, which other periods must be closed again. */
export const warnOfOutdated = (
  { warn }: Pick<CommandIo, 'warn'>,
  outcomes: readonly EntityOutcome<{ readonly outdated: readonly OutdatedPeriod[] }>[],
): void => {
  for (const outcome of outcomes) {
    if (isFailure(outcome)) continue;
    const named = outcomes.length > 1 ? `${outcome.entity}: ` : '';
    for (const [before, own] of Map.groupBy(outcome.value.outdated, (period) => period.before))
      warn(`${named}${outdatedWarning(own, before)}\n`);
  }
};

const outdatedWarning = (periods: readonly OutdatedPeriod[], before: string): string => {
  const labels = periods.map(({ label }) => label);
  const shown = labels.slice(0, SHOWN_MAX).join(', ');
  const more = labels.length - SHOWN_MAX;
  const listed = more > 0 ? `${shown} and ${more} more` : shown;
  const [are, build, them] =
    labels.length === 1 ? (['is', 'it builds', 'it'] as const) : (['are', 'they build', 'them'] as const);
  return `${listed} ${are} out of date: ${outdatedText(before, build)}. Close ${them} again.`;
};
