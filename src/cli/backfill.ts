import { Command } from 'commander';
import { historicalBackfill } from '../../pipelines/historical-backfill.ts';
import type { MonthOutcome } from '../core/backfill.ts';
import { readinessLine } from '../judge/readiness.ts';
import { designedError, ExitCode, worstOf } from '../kernel/errors.ts';
import { monthsOf } from '../kernel/period.ts';
import { shownNumber } from '../kernel/text.ts';
import { endWord, outdatedLines, totalsOf } from './close-summary.ts';
import { type EntityRun, isFailure, overPeriod, printOutcomes } from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import { type CloseCommandOptions, periodOf, portOptions, withBudget, withEntities } from './options.ts';
import { errorObject, errorText } from './print.ts';

/** Builds `tieout backfill 2023-01..2025-12`: closes the months of a range in order. */
export const backfillCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withBudget(withEntities(new Command('backfill')))
    .argument('<months>', 'a range such as 2023-01..2025-12, or 2025, 2025-H2')
    .action(async (period: string, options: CloseCommandOptions) => {
      periodOf(period);
      const outcomes = await overPeriod(io, options, period, (run) => backfillOne(io, options, run, period));
      for (const outcome of outcomes) {
        if (options.json || isFailure(outcome)) continue;
        for (const month of outcome.value.months)
          if (month.error !== undefined)
            io.warn(`${outcome.entity} ${month.period.label}: ${errorText(month.error)}`);
      }
      exit(
        printOutcomes(io, options, outcomes, {
          period,
          codeOf,
          figuresOf: backfillFigures,
          textOf: backfillText,
        }),
      );
    });

/** Closes the months of a range for an entity. */
const backfillOne = async (
  io: CommandIo,
  options: CloseCommandOptions,
  { configuration, entity, watch, onWait }: EntityRun,
  range: string,
) => {
  const periods = monthsOf(periodOf(range));
  return io.withClose(configuration, { ...portOptions(options), periods, onWait }, async (ports) => {
    return { entity, range, ...(await historicalBackfill.run({ ...ports, ...watch }, { period: range })) };
  });
};

type Backfilled = Awaited<ReturnType<typeof backfillOne>>;

/** Returns the worst exit code of the months. */
const codeOf = ({ months }: Pick<Backfilled, 'months'>): ExitCode =>
  worstOf(months.map(({ exitCode }) => exitCode));

/** Returns how each month ended as JSON. */
const backfillFigures = ({ entity, range, months, outdated }: Backfilled): object => ({
  entity,
  period: range,
  exit_code: codeOf({ months }),
  months: months.map(({ period, kind, exitCode, lockedBy, figures, error }) => ({
    period: period.label,
    result: kind,
    exit_code: exitCode,
    ...(lockedBy !== undefined && { locked_by: lockedBy }),
    ...(figures && { ready: figures.readiness.ready, open: figures.open, ...totalsOf(figures) }),
    ...(error !== undefined && errorObject(error)),
  })),
  outdated: outdated.map(({ label }) => label),
});

/** Formats a backfill for people: what is not clean, and where the rest stands; its last line is that of the worst month. */
const backfillText = ({ entity, range, months, outdated }: Backfilled, isNamed: boolean): string => {
  const code = codeOf({ months });
  const lines = [
    ...months.filter(({ exitCode, kind }) => exitCode !== ExitCode.clean || kind === 'locked').map(monthLine),
    ...outdatedLines(outdated),
    `${isNamed ? `${entity} ` : ''}${range}: ${endWord(code)}, exit code ${code}, ${shownNumber(months.length, 'month')}`,
  ];
  return `${lines.join('\n')}\n`;
};

/** A locked month without figures of its own is in those of the longer period that was filed. */
const monthLine = ({ period, kind, lockedBy, figures, error, exitCode }: MonthOutcome): string => {
  if (kind === 'locked')
    return `   ${period.label}: skipped, ${lockedBy} is locked${figures ? '' : ', whose figures are not counted here'}`;
  if (!figures)
    return `!! ${period.label}: stopped with ${exitCode}, ${designedError(error)?.code ?? 'E_DEFECT'}`;
  return `!! ${period.label}: ${readinessLine(figures.readiness)}`;
};
