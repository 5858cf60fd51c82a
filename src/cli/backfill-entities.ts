import { historicalBackfill } from '../../pipelines/historical-backfill.ts';
import { chooseEntities } from '../close/configuration/load-configuration.ts';
import { periodFolder } from '../close/stages/period-folder.ts';
import type { ExitCode } from '../kernel/exit-code.ts';
import { worstOf } from '../kernel/exit-code.ts';
import { provePublishable } from '../runtime/publish-folder.ts';
import type { BackfillOptions } from './backfill.ts';
import { type Backfilled, backfillFigures, backfillText, exitCodeOfBackfill } from './backfill-summary.ts';
import { periodOf, portOptions } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { entitiesObject, isFailure, overEntities } from './over-entities.ts';
import { errorObject, errorText } from './print-error.ts';
import { logged, watched } from './watched.ts';

/** Close the months of a range for the entities that are meant. */
export const backfillEntities = async (
  io: CommandIo,
  options: BackfillOptions,
  range: string,
): Promise<ExitCode> => {
  periodOf(range);
  const configurations = await chooseEntities(options.config, options.entity);
  const isSeveral = configurations.length > 1;
  const parallel = Math.max(1, options.parallel);
  const outcomes = await watched(io, options, (watch) =>
    overEntities<Backfilled>(configurations, exitCodeOfBackfill, (configuration) => {
      const { entity } = configuration;
      if (isSeveral && !options.json && !options.quiet) io.print(`${entity} ${range}\n`);
      return logged(watch.log, { entity, period: range }, () =>
        io.withClose(configuration, portOptions(options), async (ports) => {
          await provePublishable(periodFolder(ports, periodOf(range)));
          const watchMonth = ({ label }: { readonly label: string }) => watch.of(entity, label, false);
          const months = { ...ports, ...watch.of(entity, range), watchMonth };
          const result = await historicalBackfill.run(months, { period: range, parallel });
          return { entity, range, ...result };
        }),
      );
    }),
  );
  const [only] = outcomes;
  if (only && !isSeveral && isFailure(only)) throw only.error;
  const code = worstOf(outcomes.map((outcome) => outcome.code));
  for (const { entity, error } of outcomes.filter(isFailure)) io.warn(`${entity}: ${errorText(error)}`);
  for (const outcome of outcomes) {
    if (options.json || isFailure(outcome)) continue;
    for (const { period, error } of outcome.value.months)
      if (error !== undefined) io.warn(`${outcome.entity} ${period.label}: ${errorText(error)}`);
    if (!options.quiet) io.print(backfillText(outcome.value, isSeveral));
  }
  if (options.json) {
    const object =
      only && !isSeveral && !isFailure(only)
        ? backfillFigures(only.value)
        : { period: range, ...entitiesObject(outcomes, code, backfillFigures, errorObject) };
    io.print(`${JSON.stringify(object, null, 2)}\n`);
  }
  return code;
};
