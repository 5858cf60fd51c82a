import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { type ExitCode, exitCodeOf } from '../kernel/exit-code.ts';
import type { CloseCommandOptions } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { errorObject } from './print-error.ts';
import { logged, type RunWatch, watched } from './watched.ts';

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
