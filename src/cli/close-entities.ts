import { chooseEntities, type LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import type { CloseCommandOptions } from './close.ts';
import { periodOf, portOptions, progressOf } from './close-options.ts';
import { closePeriod } from './close-period.ts';
import { type Closed, closeFigures, closeText, exitCodeOfClose } from './close-summary.ts';
import { entitiesText } from './entities-text.ts';
import { type ExitCode, worstOf } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { entitiesObject, isFailure, overEntities } from './over-entities.ts';
import { errorObject, errorText } from './print-error.ts';

/** Close a period for the entities that are meant. Alone, one is told in full; of several, each in a few lines. */
export const closeEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
): Promise<ExitCode> => {
  periodOf(period);
  const [first, ...others] = await chooseEntities(options.config, options.entity);
  if (first && others.length === 0) return closeOne(io, options, period, first);
  return closeSeveral(io, options, period, [...(first ? [first] : []), ...others]);
};

const closeOne = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
  configuration: LoadedConfiguration,
): Promise<ExitCode> => {
  const closed = await io.withClose(configuration, portOptions(options), (ports) =>
    closePeriod({ ...ports, progress: progressOf(io, options) }, period),
  );
  if (options.json) io.print(`${JSON.stringify(closeFigures(closed), null, 2)}\n`);
  else if (!options.quiet) io.print(closeText(closed, io.isTerminal));
  return exitCodeOfClose(closed);
};

const closeSeveral = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
  configurations: readonly LoadedConfiguration[],
): Promise<ExitCode> => {
  // A mail of several entities has a few lines for each: their stages are for those who watch.
  const progress = progressOf(io, { ...options, quiet: options.quiet === true || !io.isTerminal });
  const outcomes = await overEntities<Closed>(configurations, exitCodeOfClose, async (configuration) => {
    if (io.isTerminal && !options.json && !options.quiet) io.warn(`${configuration.entity} ${period}\n`);
    return io.withClose(configuration, portOptions(options), (ports) =>
      closePeriod({ ...ports, progress }, period),
    );
  });
  const code = worstOf(outcomes.map((outcome) => outcome.code));
  for (const { entity, error } of outcomes.filter(isFailure)) io.warn(`${entity}: ${errorText(error)}`);
  if (options.json)
    io.print(
      `${JSON.stringify({ period, ...entitiesObject(outcomes, code, closeFigures, errorObject) }, null, 2)}\n`,
    );
  else if (!options.quiet) io.print(entitiesText(outcomes, period, code));
  return code;
};
