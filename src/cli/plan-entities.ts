import { closePlan } from '../../pipelines/close-plan.ts';
import { chooseEntities } from '../close/configuration/load-configuration.ts';
import { gapFigures } from '../close/stages/rate-gaps.ts';
import type { SourceFileRow } from '../close/workspace/tables.ts';
import { ExitCode } from '../kernel/exit-code.ts';
import type { CloseCommandOptions } from './close.ts';
import { periodOf, portOptions } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { overEntities } from './over-entities.ts';
import { tellOutcomes } from './tell-outcomes.ts';
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
  // The plan was told as it was made.
  return tellOutcomes(io, options, outcomes, {
    about: { period },
    figuresOf: ({ inputs, gaps, ...plan }) => ({
      ...plan,
      rate_gaps: gapFigures(gaps),
      inputs: inputs.map(inputObject),
    }),
    textOf: () => '',
  });
};

/** A file of the exports for scripts, without what only the workspace needs to know of it. */
const inputObject = ({
  channel,
  path,
  profile,
  sha256,
  bytes,
  rows,
  used,
  ignored,
  rejected,
}: SourceFileRow): object => ({ channel, path, profile, sha256, bytes, rows, used, ignored, rejected });
