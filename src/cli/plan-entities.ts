import { closePlan } from '../../pipelines/close-plan.ts';
import { chooseEntities } from '../close/configuration/load-configuration.ts';
import { ExitCode, worstOf } from '../kernel/exit-code.ts';
import type { CloseCommandOptions } from './close.ts';
import { periodOf, portOptions } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { entitiesObject, isFailure, overEntities } from './over-entities.ts';
import { errorObject, errorText } from './print-error.ts';
import { logged, watched } from './watched.ts';

/** Say what closing a period would ask and send, for each of the entities that are meant. */
export const planEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  period: string,
): Promise<ExitCode> => {
  periodOf(period);
  const configurations = await chooseEntities(options.config, options.entity);
  const outcomes = await watched(io, options, (watch) =>
    overEntities(
      configurations,
      () => ExitCode.clean,
      async (configuration) => {
        const { entity } = configuration;
        if (configurations.length > 1 && !options.json && !options.quiet) io.print(`${entity} ${period}\n`);
        const plan = await logged(watch.log, { entity, period }, () =>
          io.withClose(configuration, portOptions(options), (ports) =>
            closePlan.run({ ...ports, ...watch.of(entity, period) }, { period }),
          ),
        );
        return { entity, period, ...plan };
      },
    ),
  );
  const [only, ...others] = outcomes;
  if (only && others.length === 0) {
    if (isFailure(only)) throw only.error;
    if (options.json) io.print(`${JSON.stringify(only.value, null, 2)}\n`);
    return only.code;
  }
  const code = worstOf(outcomes.map((outcome) => outcome.code));
  for (const { entity, error } of outcomes.filter(isFailure)) io.warn(`${entity}: ${errorText(error)}`);
  if (options.json)
    io.print(
      `${JSON.stringify({ period, ...entitiesObject(outcomes, code, (plan) => plan, errorObject) }, null, 2)}\n`,
    );
  return code;
};
