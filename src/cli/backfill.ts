import { join } from 'node:path';
import { Command } from 'commander';
import { historicalBackfill } from '../../pipelines/historical-backfill.ts';
import { backfillFolder, type MonthOutcome } from '../core/backfill.ts';
import { totalOf } from '../figures/period-report.ts';
import { readinessLine } from '../judge/readiness.ts';
import { ExitCode, TieoutError, worstOf } from '../kernel/errors.ts';
import { formatMoney, type Money, subtract, sum } from '../kernel/money.ts';
import { type FilingPeriod, monthsOf } from '../kernel/period.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import { PRELIMINARY, runningPeriod } from '../periods/period-folder.ts';
import { provePublishable } from '../runtime/publish-folder.ts';
import { totalFigures } from './close-summary.ts';
import { isFailure, overPeriod, printOutcomes, warnOfOutdated } from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import {
  type CloseCommandOptions,
  periodOf,
  portOptions,
  withBudget,
  withEntities,
  withLog,
} from './options.ts';
import { errorObject, errorText } from './print.ts';
import { endWord } from './readiness-lines.ts';

/** Builds `tieout backfill 2023-01..2025-12`: closes the months of a range in order. */
export const backfillCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withLog(withBudget(withEntities(new Command('backfill'))))
    .argument('<months>', 'a range such as 2023-01..2025-12, or 2025, 2025-H2')
    .action(async (months: string, options: CloseCommandOptions) => {
      exit(await backfillEntities(io, options, months));
    });

/** Closes the months of a range for the selected entities. */
const backfillEntities = async (
  io: CommandIo,
  options: CloseCommandOptions,
  range: string,
): Promise<ExitCode> => {
  const run = { pipeline: historicalBackfill.name, periods: monthsOf(periodOf(range)) };
  const outcomes = await overPeriod<Backfilled>(
    io,
    { ...options, period: range },
    { codeOf: exitCodeOfBackfill },
    ({ configuration, entity, watch, onWait }) =>
      io.withClose(configuration, { ...portOptions(options), run, onWait }, async (ports) => {
        await provePublishable(backfillFolder(ports, periodOf(range)));
        const watchMonth = ({ label }: { readonly label: string }) => watch(label, false);
        const months = { ...ports, ...watch(range), watchMonth };
        const result = await historicalBackfill.run(months, { period: range });
        const isPreliminary = (period: FilingPeriod) => runningPeriod(ports, period) !== undefined;
        return { entity, range, isPreliminary, ...result };
      }),
  );
  for (const outcome of outcomes) {
    if (options.json || isFailure(outcome)) continue;
    for (const { period, error } of outcome.value.months)
      if (error !== undefined) io.warn(`${outcome.entity} ${period.label}: ${errorText(error)}`);
  }
  const code = printOutcomes(io, options, outcomes, {
    period: range,
    figuresOf: backfillFigures,
    textOf: backfillText,
  });
  warnOfOutdated(io, outcomes);
  return code;
};

type Backfilled = Awaited<ReturnType<typeof historicalBackfill.run>> & {
  readonly entity: string;
  readonly range: string;
  /** Whether a month is not over. */
  readonly isPreliminary: (month: FilingPeriod) => boolean;
};

/** Maximum number of months listed; backfill.csv has all of them. */
const MONTHS_SHOWN_MAX = 6;

/** Returns the worst exit code of its months. */
const exitCodeOfBackfill = ({ months }: Backfilled): ExitCode =>
  worstOf(months.map(({ exitCode }) => exitCode));

/** Sums a figure over the months that have books. */
const totalOver = (
  months: readonly Pick<MonthOutcome, 'figures'>[],
  figure: 'collected' | 'expected',
): Money => sum(months.flatMap(({ figures }) => (figures ? [totalOf(figures, figure)] : [])));

/** Returns the figures of a backfill as JSON, with amounts as decimal text. */
const backfillFigures = (backfilled: Backfilled): object => {
  const { entity, range, months, written, outdated, isPreliminary } = backfilled;
  return {
    entity,
    period: range,
    exit_code: exitCodeOfBackfill(backfilled),
    months: months.map(({ period, kind, exitCode, lockedBy, figures, error }) => ({
      period: period.label,
      result: kind === 'to close' ? 'closed' : kind,
      exit_code: exitCode,
      preliminary: isPreliminary(period),
      ...(lockedBy !== undefined && { locked_by: lockedBy }),
      ...(figures && {
        ready: figures.readiness.ready,
        open: figures.open,
        ...figuresOf([{ figures }]),
      }),
      ...(error !== undefined && errorObject(error)),
    })),
    totals: figuresOf(months),
    files: written.files.map((file) => join(written.folder, file)),
    outdated: outdated.map(({ label }) => label),
  };
};

const figuresOf = (months: readonly Pick<MonthOutcome, 'figures'>[]): object => ({
  ...totalFigures(months.flatMap(({ figures }) => figures ?? [])),
  variance: formatMoney(subtract(totalOver(months, 'collected'), totalOver(months, 'expected'))),
});

/** Formats a backfill for people, short enough for a mail. */
const backfillText = (backfilled: Backfilled, isNamed: boolean): string => {
  const { months, written } = backfilled;
  const collected = totalOver(months, 'collected');
  const expected = totalOver(months, 'expected');
  const told = months.filter(({ exitCode, kind }) => exitCode !== ExitCode.clean || kind === 'locked');
  const lines = [
    ...told.slice(0, MONTHS_SHOWN_MAX).map(monthLine),
    ...(told.length > MONTHS_SHOWN_MAX
      ? [`   and ${told.length - MONTHS_SHOWN_MAX} more in backfill.csv`]
      : []),
    `collected ${shownMoney(collected)}, expected ${shownMoney(expected)}${leftOutText(months)}`,
    ...written.files.map((file) => join(written.folder, file)),
    `${isNamed ? `${backfilled.entity} ` : ''}${outcomeLine(backfilled, subtract(collected, expected))}`,
  ];
  return `${lines.join('\n')}\n`;
};

/** Names the locked months whose figures are in the books of a longer period. */
const leftOutText = (months: readonly MonthOutcome[]): string => {
  const apart = months.filter(({ kind, figures }) => kind === 'locked' && !figures);
  const longer = [...new Set(apart.flatMap(({ lockedBy }) => lockedBy ?? []))].join(', ');
  return apart.length === 0 ? '' : `, without ${shownNumber(apart.length, 'month')} filed with ${longer}`;
};

/** Formats the whole outcome as the last line, as that of a close; it is that of the worst month. */
const outcomeLine = (backfilled: Backfilled, variance: Money): string => {
  const { range, months, isPreliminary } = backfilled;
  const code = exitCodeOfBackfill(backfilled);
  const word = endWord(code) ?? 'stopped';
  const worst = months.filter(({ exitCode }) => exitCode === code).length;
  const open = months.filter(({ period, figures }) => figures && isPreliminary(period));
  const counted = `${worst} of ${shownNumber(months.length, 'month')} ${word}`;
  return [
    `${range}: ${word}`,
    ...open.map(({ period }) => `${period.label} ${PRELIMINARY}`),
    `exit code ${code}`,
    `variance ${shownMoney(variance)}`,
    counted,
  ].join(', ');
};

const monthLine = ({ period, kind, lockedBy, figures, error, exitCode }: MonthOutcome): string => {
  if (kind === 'locked') return `   ${period.label}: skipped, ${lockedBy} is locked`;
  if (!figures)
    return `!! ${period.label}: stopped with ${exitCode}, ${error instanceof TieoutError ? error.code : 'E_DEFECT'}`;
  return `!! ${period.label}: ${readinessLine(figures.readiness)}`;
};
