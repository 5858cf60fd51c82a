import { type ExitCode, worstOf } from '../kernel/exit-code.ts';
import type { CommandIo } from './io.ts';
import { type EntityOutcome, entitiesObject, isFailure } from './over-entities.ts';
import { errorText } from './print-error.ts';

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
