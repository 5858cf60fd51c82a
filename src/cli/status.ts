import { Command } from 'commander';
import { type LoadedConfiguration, loadUndecided, outputOf } from '../configuration/load-configuration.ts';
import { configurationParts } from '../configuration/parts.ts';
import { lockPlaceOf } from '../core/reading.ts';
import { varianceOf } from '../figures/period-report.ts';
import { readinessFigures } from '../judge/readiness.ts';
import { type CalendarDate, formatInstant } from '../kernel/calendar.ts';
import { ExitCode } from '../kernel/errors.ts';
import { formatMoney } from '../kernel/money.ts';
import { amendedPeriod, type FilingPeriod, isWithin, parseVersion } from '../kernel/period.ts';
import { compareText, quoted, sentence, shownMoney, shownNumber } from '../kernel/text.ts';
import { type ClosePorts, outdatedText, PRELIMINARY, todayOf } from '../periods/close-ports.ts';
import { type FilingLine, readFilings, unclosedMonths, unclosedReturns } from '../periods/filings.ts';
import {
  closedReportOf,
  countingPeriods,
  type Locks,
  type PublishedPeriods,
  publishedPeriods,
} from '../periods/folders.ts';
import { readLocks } from '../periods/locks.ts';
import { isComplete, type Run, rewrittenBefore, runsOf } from '../periods/runs.ts';
import { reasonLines } from './close-summary.ts';
import { eachEntity, printOutcomes } from './entity-runs.ts';
import type { CommandIo } from './io.ts';
import { type EntityOptions, periodOf, withEntities, withOutput } from './options.ts';
import {
  datedReturns,
  isUnfiled,
  returnLines,
  returnObjects,
  unclosedObjects,
  unclosedReturnLines,
} from './status-returns.ts';

type StatusOptions = EntityOptions & { readonly output?: string };

/** Builds `tieout status`: shows each period with its returns, what is locked, and what to do next. */
export const statusCommand = (io: CommandIo, exit: (code: ExitCode) => void): Command =>
  withOutput(withEntities(new Command('status')))
    .argument('[period]', 'only this period')
    .action(async (period: string | undefined, options: StatusOptions) => {
      if (period !== undefined) periodOf(period);
      const outcomes = await eachEntity(
        await loadUndecided(options.config, options.entity),
        (configuration) =>
          statusOf(
            { configuration, clock: io.clock, output: outputOf(configuration, options.output) },
            period,
          ),
      );
      const codeOf = (): ExitCode => ExitCode.clean;
      exit(
        printOutcomes(io, options, outcomes, {
          period,
          codeOf,
          figuresOf: statusObject,
          textOf: statusText,
        }),
      );
    });

const statusObject = (status: EntityStatus): object => ({
  entity: status.entity,
  periods: status.periods.map(periodObject),
  unclosed: unclosedObjects(status.unclosed, status.today),
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
  ];
  return `${[
    ...(isSeveral ? [status.entity] : []),
    ...(shown.length === 0 ? ['Nothing has been closed yet.'] : shown),
    `Next: ${sentence(status.next)}`,
  ].join('\n')}\n`;
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
  const held = books.isLocked ? ', locked' : books.isSigned ? ', signed' : '';
  return `closed: ${books.readiness.ready ? 'READY' : 'NOT READY'}${held}${early}`;
};

/** How an entity stands: its periods, its locks, and what to do next. */
type EntityStatus = Awaited<ReturnType<typeof statusOf>>;

/** A period with its last run and its books. */
type PeriodStatus = Awaited<ReturnType<typeof periodsOf>>[number];

/** The books in the folder of a period. */
type PeriodBooks = NonNullable<PeriodStatus['books']>;

/**
 * Reads how an entity stands as of today: its periods, the returns that no close has, and the next step in a line.
 *
 * @throws {TieoutError} those of the locks and the filings, with which any close of the entity stops as well
 */
const statusOf = async (
  close: Pick<ClosePorts, 'configuration' | 'clock' | 'output'>,
  period: string | undefined,
) => {
  const { configuration } = close;
  const { entity, registrations, resolvePath } = configuration;
  const today = todayOf(close);
  const place = lockPlaceOf(close);
  const locks = await readLocks(place);
  const filings = await readFilings(place.root, entity);
  const published = await publishedPeriods(place.output, new Set(locks.versions.map(({ name }) => name)));
  const isShown = (label: string): boolean =>
    period === undefined || label === period || amendedPeriod(label) === period;
  const around = { configuration, published, locks, filings, today };
  const all = await periodsOf(around, await runsOf(resolvePath('.tieout'), entity));
  const periods = all.filter((each) => isShown(each.period));
  const closed = await countingPeriods(published);
  const unclosed = unclosedReturns(closed, registrations, today).filter(
    ({ dueDate }) => period === undefined || dueDate.period.label === period,
  );
  const isLocked = (label: string): boolean => locks.versions.some((version) => version.label === label);
  const missing = [
    ...(period === undefined ? unclosedMonths(closed.map((each) => each.period)) : []),
    ...unclosed.map(({ dueDate }) => dueDate.period).filter(({ label }) => !isLocked(label)),
  ];
  return { entity, periods, unclosed, today, next: nextStep(periods, missing, locks, period) };
};

/** What tells how the books of a period stand. */
type Around = {
  readonly configuration: LoadedConfiguration;
  readonly published: PublishedPeriods;
  readonly locks: Locks;
  readonly filings: readonly FilingLine[];
  readonly today: CalendarDate;
};

/** Returns every period that has a folder or a run, in the order of their last days. */
const periodsOf = (around: Around, runs: readonly Run[]) => {
  const { versions } = around.published;
  const labels = new Set([...versions.map(({ label }) => label), ...runs.map((run) => run.period)]);
  const lastDay = (label: string): string => parseVersion(label)?.last ?? '';
  const inOrder = [...labels].sort(
    (one, other) => compareText(lastDay(one), lastDay(other)) || compareText(one, other),
  );
  return Array.fromAsync(inOrder, async (period) => {
    const run = runs.findLast((each) => each.period === period);
    return { period, run, ...(await booksOf(period, run, around)) };
  });
};

/** Returns the books of a period, and why a close would write others now, as far as that shows without reading the exports. */
const booksOf = async (
  label: string,
  run: Run | undefined,
  { configuration, published, locks, filings, today }: Around,
) => {
  const found = await published.of(label);
  if (!found) return { books: undefined, notCurrent: [] };
  const { period, folder, manifest, leaves, isLocked } = found;
  const { content } = manifest;
  const report = await closedReportOf(found);
  const digest = await found.manifestDigest();
  const isOver = period.last < today;
  const before = await rewrittenBefore(published, found);
  const isAsConfigured = content.configuration === configurationParts(configuration).configuration;
  const stale = [
    ...(isAsConfigured ? [] : ['closed with another configuration']),
    ...(isOver && report.madeEarly ? ['closed before its last day was over'] : []),
    ...(run && !isComplete(run) ? ['its files are of an earlier run'] : []),
    ...(before === undefined ? [] : [outdatedText(before)]),
  ];
  const books = {
    folder,
    variance: varianceOf(report),
    /** Number of open exceptions. */
    open: content.exceptions.open,
    readiness: leaves.readiness,
    isOver,
    isSigned: locks.lines.some((line) => line.what === 'signed' && line.manifest === digest),
    isLocked,
    returns: datedReturns(report, { today, filings, isLocked }),
    unreturned: leaves.unreturned ?? [],
  };
  return { books, notCurrent: isLocked ? [] : stale };
};

/**
 * Describes the next step: overdue returns first, because penalty and interest run on them; then the earliest period that
 * is not locked, and then returns that are not filed.
 */
const nextStep = (
  periods: readonly PeriodStatus[],
  [missing]: readonly FilingPeriod[],
  locks: Locks,
  asked: string | undefined,
): string => {
  // A longer lock holds the days of some, which cannot be locked themselves.
  const isCovered = (label: string): boolean => {
    const own = parseVersion(label);
    return locks.periods.some(
      (lock) => own && lock.label !== label && isWithin(lock, own.first) && isWithin(lock, own.last),
    );
  };
  const unfiled = periods.flatMap(({ period, books, notCurrent }) =>
    (books?.returns ?? []).filter(isUnfiled).map(({ key, isLate }) => {
      return { period, key, isOverdue: isLate && notCurrent.length === 0 };
    }),
  );
  const overdue = unfiled
    .filter(({ isOverdue }) => isOverdue)
    .map(({ period, key }) => `${key} of ${period}`);
  const urgent = overdue.length === 0 ? '' : `file and pay what is overdue now: ${overdue.join(', ')}. Then `;
  const [row] = unfiled;
  const open = periods.find(({ period, books }) => !books?.isLocked && !isCovered(period));
  if (missing && (!open || missing.last <= (parseVersion(open.period)?.last ?? '')))
    return `${urgent}\`tieout close ${missing.label}\`, which works out the returns of ${missing.label}.`;
  if (open) return `${urgent}${stepOf(open)}`;
  if (row)
    return `${urgent}file the returns of ${row.period}, and write each down: \`tieout filed ${row.period} ${quoted(row.key)} --on DAY --confirmation TEXT\`.`;
  return periods.length === 0
    ? `\`tieout close ${asked ?? 'PERIOD'}\`, such as 2026-10.`
    : 'nothing: what is closed is locked, and its returns are filed.';
};

/** Describes the next step for a period that is not locked. */
const stepOf = ({ period, run, books, notCurrent }: PeriodStatus): string => {
  const close = `\`tieout close ${period}\``;
  if (run?.error)
    return `${run.error.code} stopped the run of ${period}: ${sentence(run.error.nextStep ?? 'settle that first')} Then ${close}.`;
  if (!books || notCurrent.length > 0) return `${close}.`;
  const [reason] = books.readiness.reasons;
  if (reason) {
    const what = [reason.code, reason.record].filter(Boolean).join(' of ');
    return `${period}, ${what}: ${reason.todo}${reason.kind === 'period' ? '' : ` Then ${close}.`}`;
  }
  if (!books.isOver) return `${close} once ${period} is over.`;
  return `look through the books of ${period}, \`tieout sign ${period} --as NAME --role preparer\`, and \`tieout lock ${period} --as NAME\` when it is filed.`;
};
