import { Command } from 'commander';
import { chooseEach, outputOf } from '../configuration/load-configuration.ts';
import { type LockLine, versionLabel } from '../evidence/lock-line.ts';
import { formatInstant } from '../kernel/calendar.ts';
import { ExitCode, exitCodeOf, worstOf } from '../kernel/errors.ts';
import { formatMoney, parseMoney, ZERO } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import { PRELIMINARY, todayOf } from '../periods/period-folder.ts';
import { isComplete, type Run } from '../periods/runs.ts';
import type { CommandIo } from './io.ts';
import type { PeriodBooks, PeriodStatus } from './next-step.ts';
import { type EntityOptions, periodOf, withEntities, withOutput } from './options.ts';
import { type EntityStatus, statusOf } from './period-status.ts';
import { errorObject, sentence } from './print.ts';
import { REASONS_SHOWN_MAX, reasonLine, sharedReasons } from './readiness-lines.ts';
import { returnLines, returnObjects, unclosedObjects, unclosedReturnLines } from './status-returns.ts';

/** Builds `tieout status`: shows each period with its returns, what is locked, and what to do next. */
export const statusCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withOutput(withEntities(new Command('status')))
    .argument('[period]', 'only this period')
    .action(async (period: string | undefined, { config, entity, output, json }: StatusOptions) => {
      if (period !== undefined) periodOf(period);
      const entities: EntityStatus[] = [];
      for (const configuration of await chooseEach(config, entity)) {
        const today = todayOf({ configuration, clock: io.clock });
        const place = outputOf(configuration, output);
        entities.push(await statusOf(configuration, { period, today, output: place }));
      }
      const objects = entities.map(objectOf);
      const object = objects.length === 1 ? objects[0] : { entities: objects };
      io.print(json ? `${JSON.stringify(object, null, 2)}\n` : textOf(entities, period));
      exit(worstOf(entities.map(({ stop }) => (stop ? exitCodeOf(stop) : ExitCode.clean))));
    });

type StatusOptions = EntityOptions & { readonly output?: string };

const objectOf = ({ lines, ...status }: EntityStatus): object => ({
  entity: status.entity,
  ...(status.stop && errorObject(status.stop)),
  periods: status.periods.map(periodObject),
  unclosed: unclosedObjects(status.unclosed, status.today),
  events: lines.map((line) => ({
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
  const { returns = [], unreturned = [], variance, ...shown } = books ?? {};
  return {
    period,
    started: run ? formatInstant(run.started) : null,
    exitCode: run?.exitCode ?? null,
    error: run?.error ?? null,
    notCurrent,
    ...shown,
    variance: variance === undefined ? null : formatMoney(variance),
    preliminary: books !== undefined && !books.isOver && !books.isLocked,
    ...returnObjects({ returns, unreturned }),
  };
};

const textOf = (entities: readonly EntityStatus[], period: string | undefined): string =>
  entities
    .map((status) => {
      const { entity, stop, periods, unclosed, today, lines, next } = status;
      const shown = [
        ...(stop ? [`A close of ${entity} stops now (${stop.code}): ${sentence(stop.message)}`] : []),
        ...periods.flatMap(periodLines),
        ...unclosedReturnLines(unclosed, today),
        ...lines.map(eventText),
      ];
      const none = period === undefined ? 'Nothing has' : `${period} has not`;
      return `${[
        ...(entities.length > 1 ? [entity] : []),
        ...(shown.length === 0 ? [`${none} been closed yet.`] : shown),
        `Next: ${sentence(next)}`,
      ].join('\n')}\n`;
    })
    .join('\n');

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
    ...(books ? bookLines(books) : []),
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

const bookLines = (books: PeriodBooks): readonly string[] => {
  const reasons = sharedReasons(
    books.readiness.reasons.map((reason) => ({ ...reason, effect: parseMoney(reason.effect) ?? ZERO })),
  );
  const more = reasons.length - REASONS_SHOWN_MAX;
  return [
    `variance ${shownMoney(books.variance)}, ${shownNumber(books.open, 'open exception')}`,
    books.folder,
    ...reasons.slice(0, REASONS_SHOWN_MAX).map(reasonLine),
    ...(more > 0 ? [`and ${more} more in Decide or on Checks`] : []),
    ...books.aboutFiles,
    ...returnLines(books),
  ];
};
