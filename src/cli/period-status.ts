import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { configurationParts } from '../configuration/parts.ts';
import { lockPlaceOf } from '../core/reading.ts';
import type { LockLine } from '../evidence/lock-line.ts';
import { varianceOf } from '../figures/period-report.ts';
import type { Readiness } from '../judge/readiness.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import type { Money } from '../kernel/money.ts';
import { amendedPeriod, type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { compareText, quoted } from '../kernel/text.ts';
import { type FilingLine, readFilings } from '../periods/filings.ts';
import {
  closedReportOf,
  countingPeriods,
  type Locks,
  type PublishedPeriods,
  publishedPeriods,
} from '../periods/folders.ts';
import { readLocks } from '../periods/locks.ts';
import { outdatedText } from '../periods/period-folder.ts';
import { isComplete, type Run, rewrittenBefore, runsOf } from '../periods/runs.ts';
import { type UnclosedReturn, unclosedMonths, unclosedReturns } from '../periods/unclosed.ts';
import { sentence } from './print.ts';
import { datedReturns, isUnfiled, type PeriodReturns } from './status-returns.ts';

/** How an entity stands: its periods, its locks, and what to do next. */
export type EntityStatus = {
  readonly entity: string;
  readonly periods: readonly PeriodStatus[];
  /** Returns that no close has, as of a day. */
  readonly unclosed: readonly UnclosedReturn[];
  readonly today: CalendarDate;
  /** The lines of the register about the entity. */
  readonly lines: readonly LockLine[];
  /** The next step, in a line. */
  readonly next: string;
};

/** A period with its last run and its books. */
export type PeriodStatus = {
  readonly period: string;
  readonly run: Run | undefined;
  readonly books: PeriodBooks | undefined;
  /** Why a close would write other books now, as far as that shows without reading the exports. */
  readonly notCurrent: readonly string[];
};

/** The books in the folder of a period. */
export type PeriodBooks = PeriodReturns & {
  readonly folder: string;
  readonly variance: Money;
  /** Number of open exceptions. */
  readonly open: number;
  readonly readiness: Readiness;
  readonly isOver: boolean;
  readonly isSigned: boolean;
  readonly isLocked: boolean;
};

type Asked = {
  readonly period: string | undefined;
  readonly today: CalendarDate;
  readonly output: string;
};

/**
 * Reads how an entity stands.
 *
 * @throws {TieoutError} those of the locks and the filings, with which any close of the entity stops as well
 */
export const statusOf = async (
  configuration: LoadedConfiguration,
  { period, today, output }: Asked,
): Promise<EntityStatus> => {
  const { entity, registrations, resolvePath } = configuration;
  const place = lockPlaceOf({ configuration, output });
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
  const lines = locks.lines.filter((line) => line.entity === entity && isShown(line.period));
  return { entity, periods, unclosed, today, lines, next: nextStep(periods, missing, locks, period) };
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
const periodsOf = async (around: Around, runs: readonly Run[]): Promise<readonly PeriodStatus[]> => {
  const { versions } = around.published;
  const labels = new Set([...versions.map(({ label }) => label), ...runs.map((run) => run.period)]);
  const lastDay = (label: string): string => parseVersion(label)?.last ?? '';
  const periods: PeriodStatus[] = [];
  for (const period of [...labels].sort(
    (one, other) => compareText(lastDay(one), lastDay(other)) || compareText(one, other),
  )) {
    const run = runs.findLast((each) => each.period === period);
    periods.push({ period, run, ...(await booksOf(period, run, around)) });
  }
  return periods;
};

const booksOf = async (
  label: string,
  run: Run | undefined,
  { configuration, published, locks, filings, today }: Around,
): Promise<Pick<PeriodStatus, 'books' | 'notCurrent'>> => {
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
 *
 * @param missing periods with days or returns that no close has, the earliest due first
 */
const nextStep = (
  periods: readonly PeriodStatus[],
  [missing]: readonly FilingPeriod[],
  locks: Locks,
  asked: string | undefined,
): string => {
  const unfiled = periods.flatMap(({ period, books, notCurrent }) =>
    (books?.returns ?? [])
      .filter(isUnfiled)
      .map(({ key, isLate }) => ({ period, key, isOverdue: isLate && notCurrent.length === 0 })),
  );
  const overdue = unfiled
    .filter(({ isOverdue }) => isOverdue)
    .map(({ period, key }) => `${key} of ${period}`);
  const urgent = overdue.length === 0 ? '' : `file and pay what is overdue now: ${overdue.join(', ')}. Then `;
  const open = periods.find(({ period, books }) => !books?.isLocked && !isCovered(period, locks));
  const [row] = unfiled;
  if (missing && (!open || missing.last <= (parseVersion(open.period)?.last ?? '')))
    return `${urgent}\`tieout close ${missing.label}\`, which works out the returns of ${missing.label}.`;
  if (open) return `${urgent}${stepOf(open)}`;
  if (row)
    return `${urgent}file the returns of ${row.period}, and write each down: \`tieout filed ${row.period} ${quoted(row.key)} --on DAY --confirmation TEXT\`.`;
  if (periods.length === 0) return `\`tieout close ${asked ?? 'PERIOD'}\`, such as 2026-10.`;
  return 'nothing: what is closed is locked, and its returns are filed.';
};

/** Whether a longer lock holds the days of the period, so that it cannot be locked itself. */
const isCovered = (label: string, locks: Locks): boolean => {
  const period = parseVersion(label);
  return locks.periods.some(
    ({ label: locked, first, last }) =>
      period !== undefined && locked !== label && first <= period.first && period.last <= last,
  );
};

/** Describes the next step for a period that is not locked. */
const stepOf = ({ period, run, books, notCurrent }: PeriodStatus): string => {
  const close = `\`tieout close ${period}\``;
  if (run?.error)
    return `${run.error.code} stopped the run of ${period}: ${sentence(run.error.nextStep ?? 'settle that first')} Then ${close}.`;
  if (!books) return `${close}.`;
  if (notCurrent.length > 0) return `${close}, because the books of ${period} are not current.`;
  const [reason] = books.readiness.reasons;
  if (reason) {
    const what = [reason.code, reason.record].filter(Boolean).join(' of ');
    // A return of a shorter period is filed from another close; this one stays as it is.
    return `${period}, ${what}: ${reason.todo}${reason.kind === 'period' ? '' : ` Then ${close}.`}`;
  }
  if (!books.isOver) return `${close} once ${period} is over.`;
  return `look through the books of ${period}, \`tieout sign ${period} --as NAME --role preparer\`, and \`tieout lock ${period} --as NAME\` when it is filed.`;
};
