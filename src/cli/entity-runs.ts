import { type LoadedConfiguration, loadUndecided } from '../configuration/load-configuration.ts';
import { type ExitCode, exitCodeOf, worstOf } from '../kernel/errors.ts';
import { onOwnLine, type Watch } from '../runtime/pipeline.ts';
import type { CommandIo } from './io.ts';
import { type CloseCommandOptions, progressOf } from './options.ts';
import { errorObject, errorText, printAnswer } from './print.ts';

/** The result of a command for one entity. */
type EntityOutcome<Value> = { readonly entity: string } & (
  | { readonly value: Value }
  | { readonly error: unknown }
);

export const isFailure = <Value>(
  outcome: EntityOutcome<Value>,
): outcome is Extract<EntityOutcome<Value>, { readonly error: unknown }> => 'error' in outcome;

/** The context of work on a period of one entity. */
export type EntityRun = {
  readonly configuration: LoadedConfiguration;
  readonly entity: string;
  /** The watch on a run. */
  readonly watch: Required<Watch>;
  /** Reports that something external delays the run. */
  readonly onWait: (text: string) => void;
};

/**
 * Runs work on a period of each selected entity, in order and watched. If there are several, each is announced, and an
 * error of one becomes its outcome, while the others continue.
 */
export const overPeriod = async <Value>(
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
  work: (run: EntityRun) => Promise<Value>,
): Promise<readonly EntityOutcome<Value>[]> => {
  const { json = false, quiet = false } = options;
  const configurations = await loadUndecided(options.config, options.entity);
  const stopping = io.watchSignals(() => {
    if (!quiet) io.warn(STOPPING);
  });
  const onWait = (text: string): void => {
    if (!quiet && !json) io.warn(io.isTerminal ? onOwnLine(text) : `${text}\n`);
  };
  try {
    return await eachEntity(configurations, (configuration) => {
      const { entity } = configuration;
      if (configurations.length > 1 && !json && !quiet) io.print(`${entity} ${period}\n`);
      const watch = { progress: progressOf(io, options), stopping };
      return work({ configuration, entity, watch, onWait });
    });
  } finally {
    stopping.release();
  }
};

const STOPPING =
  'Stopping when the batch at work is done; the same command goes on later. A second signal ends at once.\n';

/** Does work for one entity after the other. The error of one is its outcome, and the next one continues. */
export const eachEntity = async <Value>(
  configurations: readonly LoadedConfiguration[],
  work: (configuration: LoadedConfiguration) => Promise<Value>,
): Promise<readonly EntityOutcome<Value>[]> => {
  const outcomes: EntityOutcome<Value>[] = [];
  for (const configuration of configurations) {
    const { entity } = configuration;
    try {
      outcomes.push({ entity, value: await work(configuration) });
    } catch (error) {
      outcomes.push({ entity, error });
    }
  }
  return outcomes;
};

type Printing<Value> = {
  readonly period: string | undefined;
  readonly codeOf: (value: Value) => ExitCode;
  readonly figuresOf: (value: Value) => object;
  readonly textOf: (value: Value, isSeveral: boolean) => string;
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
  { period, codeOf, figuresOf, textOf }: Printing<Value>,
): ExitCode => {
  const [only] = outcomes;
  const isSeveral = outcomes.length > 1;
  if (only && !isSeveral && isFailure(only)) throw only.error;
  for (const { entity, error } of outcomes.filter(isFailure))
    io.warn(`${[entity, period].filter(Boolean).join(' ')}: ${errorText(error)}`);
  const code = worstOf(
    outcomes.map((outcome) => (isFailure(outcome) ? exitCodeOf(outcome.error) : codeOf(outcome.value))),
  );
  if (json) {
    const entities = outcomes.map((outcome) =>
      isFailure(outcome)
        ? { entity: outcome.entity, exit_code: exitCodeOf(outcome.error), ...errorObject(outcome.error) }
        : figuresOf(outcome.value),
    );
    printAnswer(io, true, isSeveral ? { period, exit_code: code, entities } : entities[0], '');
  } else if (!quiet) {
    for (const outcome of outcomes) if (!isFailure(outcome)) io.print(textOf(outcome.value, isSeveral));
  }
  return code;
};
