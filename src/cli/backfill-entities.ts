import { historicalBackfill } from '../../pipelines/historical-backfill.ts';
import { backfillFolder } from '../close/stages/backfill/backfill-folder.ts';
import type { ExitCode } from '../kernel/exit-code.ts';
import { provePublishable } from '../runtime/publish-folder.ts';
import { type Backfilled, backfillFigures, backfillText, exitCodeOfBackfill } from './backfill-summary.ts';
import { type CloseCommandOptions, periodOf, portOptions } from './close-options.ts';
import type { CommandIo } from './io.ts';
import { type EntityOutcome, isFailure, overPeriod } from './over-entities.ts';
import { errorText } from './print-error.ts';
import { printOutcomes } from './print-outcomes.ts';
import { warnOfOutdated } from './warn-of-outdated.ts';
import { warnOfVoided } from './warn-of-voided.ts';

export type BackfillOptions = CloseCommandOptions & { readonly parallel: number };

/** Close the months of a range for the entities that are meant. */
export const backfillEntities = async (
  io: CommandIo,
  options: BackfillOptions,
  range: string,
): Promise<ExitCode> => {
  periodOf(range);
  const outcomes = await overPeriod<Backfilled>(
    io,
    { ...options, period: range },
    exitCodeOfBackfill,
    ({ configuration, entity, watch }) =>
      io.withClose(configuration, { ...portOptions(options), onWait: watch.waiting }, async (ports) => {
        await provePublishable(backfillFolder(ports, periodOf(range)));
        const watchMonth = ({ label }: { readonly label: string }) => watch.of(entity, label, false);
        const months = { ...ports, ...watch.of(entity, range), watchMonth };
        const result = await historicalBackfill.run(months, { period: range, parallel: options.parallel });
        return { entity, range, ...result };
      }),
  );
  if (!options.json) warnOfMonths(io, outcomes);
  const code = printOutcomes(io, options, outcomes, {
    about: { period: range },
    figuresOf: backfillFigures,
    textOf: backfillText,
  });
  for (const outcome of outcomes) {
    if (isFailure(outcome)) continue;
    const named = outcomes.length > 1 ? outcome.entity : undefined;
    for (const { period, voided } of outcome.value.months) warnOfVoided(io, period.label, voided, named);
    warnOfOutdated(io, outcome.value.outdated, named);
  }
  return code;
};

/** Say of each month that was stopped what stopped it. */
const warnOfMonths = (io: CommandIo, outcomes: readonly EntityOutcome<Backfilled>[]): void => {
  for (const outcome of outcomes) {
    if (isFailure(outcome)) continue;
    for (const { period, error } of outcome.value.months)
      if (error !== undefined) io.warn(`${outcome.entity} ${period.label}: ${errorText(error)}`);
  }
};
