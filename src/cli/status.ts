import { Command } from 'commander';
import { loadUndecided, outputOf } from '../configuration/load-configuration.ts';
import { type LockLine, versionLabel } from '../evidence/lock-line.ts';
import { readinessFigures } from '../judge/readiness.ts';
import { formatInstant } from '../kernel/calendar.ts';
import { ExitCode } from '../kernel/errors.ts';
import { formatMoney } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import { PRELIMINARY, todayOf } from '../periods/period-folder.ts';
import { isComplete, type Run } from '../periods/runs.ts';
import { eachEntity, printOutcomes } from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, periodOf, withEntities, withOutput } from './options.ts';
import { type EntityStatus, type PeriodBooks, type PeriodStatus, statusOf } from './period-status.ts';
import { sentence } from './print.ts';
import { reasonLines } from './readiness-lines.ts';
import { returnLines, returnObjects, unclosedObjects, unclosedReturnLines } from './status-returns.ts';

type StatusOptions = EntityOptions & { readonly output?: string };

/** Builds `tieout status`: shows each period with its returns, what is locked, and what to do next. */
export const statusCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withOutput(withEntities(new Command('status')))
    .argument('[period]', 'only this period')
    .action(async (period: string | undefined, options: StatusOptions) => {
      if (period !== undefined) periodOf(period);
      const outcomes = await eachEntity(
        await loadUndecided(options.config, options.entity),
        () => ExitCode.clean,
        (configuration) => {
          const today = todayOf({ configuration, clock: io.clock });
          return statusOf(configuration, { period, today, output: outputOf(configuration, options.output) });
        },
      );
      exit(printOutcomes(io, options, outcomes, { period, figuresOf: statusObject, textOf: statusText }));
    });

const statusObject = (status: EntityStatus): object => ({
  entity: status.entity,
  periods: status.periods.map(periodObject),
  unclosed: unclosedObjects(status.unclosed, status.today),
  events: status.lines.map((line) => ({
    period: versionLabel(line),
    what: line.what,
    at: line.at,
    who: line.by.name,
    role: line.by.role,
    why: line.why,
  })),
  next: status.next,
});

const periodObject = ({ period, run, books, notCurrent }: PeriodStatus): object => {
  const { returns = [], unreturned = [], variance, readiness, ...shown } = books ?? {};
  return {
    period,
    started: run ? formatInstant(run.started) : null,
    exitCode: run?.exitCode ?? null,
    error: run?.error ?? null,
    notCurrent,
    ...shown,
    ...(readiness && { readiness: readinessFigures(readiness) }),
    variance: variance === undefined ? null : formatMoney(variance),
    preliminary: books !== undefined && !books.isOver && !books.isLocked,
    ...returnObjects({ returns, unreturned }),
  };
};

const statusText = (status: EntityStatus, isSeveral: boolean): string => {
  const shown = [
    ...status.periods.flatMap(periodLines),
    ...unclosedReturnLines(status.unclosed, status.today),
    ...status.lines.map(eventText),
  ];
  return `${[
    ...(isSeveral ? [status.entity] : []),
    ...(shown.length === 0 ? ['Nothing has been closed yet.'] : shown),
    `Next: ${sentence(status.next)}`,
  ].join('\n')}\n`;
};

const eventText = (line: LockLine): string => {
  const { what, by, at, why } = line;
  const name = `${by.name}${by.role === '' ? '' : ` as ${by.role}`}`;
  return `${versionLabel(line).padEnd(18)} ${what} on ${minuteOf(at)} UTC by ${name}${why === '' ? '' : `: ${why}`}`;
};

const minuteOf = (at: string): string => at.slice(0, 16).replace('T', ' ');

/** Formats the last run of a period, its books and its returns. */
const periodLines = ({ period, run, books, notCurrent }: PeriodStatus): readonly string[] => {
  const at = run ? `  run of ${minuteOf(formatInstant(run.started))} UTC` : '';
  const lines = [
    ...notCurrent.map((reason) => `NOT CURRENT: ${reason}; close it again`),
    ...(run?.error ? [run.error.message] : []),
    ...(books
      ? [
          `variance ${shownMoney(books.variance)}, ${shownNumber(books.open, 'open exception')}`,
          books.folder,
          ...reasonLines(books.readiness.reasons),
          ...returnLines(books),
        ]
      : []),
  ];
  return [
    `${period.padEnd(18)} ${stateOf(run, books).padEnd(27)}${at}`.trimEnd(),
    ...lines.map((line) => `${' '.repeat(18)} ${line}`),
  ];
};

const stateOf = (run: Run | undefined, books: PeriodBooks | undefined): string => {
  if (run && run.exitCode === null) return 'at work, or cut off: run it again';
  if (run && !isComplete(run))
    return `stopped: ${[run.error?.code, `exit code ${run.exitCode}`].filter(Boolean).join(', ')}`;
  if (!books) return 'no books here';
  const early = books.isOver || books.isLocked ? '' : `, ${PRELIMINARY}`;
  return `closed: ${books.readiness.ready ? 'READY' : 'NOT READY'}${early}`;
};
