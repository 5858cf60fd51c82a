import type { LoadedConfiguration } from '../configuration/load-configuration.ts';
import { configurationParts } from '../configuration/parts.ts';
import { lockPlaceOf } from '../core/reading.ts';
import type { LockLine } from '../evidence/lock-line.ts';
import { varianceOf } from '../figures/period-report.ts';
import { readinessFigures } from '../judge/readiness.ts';
import type { CalendarDate } from '../kernel/calendar.ts';
import { designedError, type TieoutError } from '../kernel/errors.ts';
import { amendedPeriod, parseVersion } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { type FilingLine, readFilings } from '../periods/filings.ts';
import {
  closedReportOf,
  countingPeriods,
  type Locks,
  type PublishedPeriod,
  type PublishedPeriods,
  publishedPeriods,
} from '../periods/folders.ts';
import { lockedDays, readLocks } from '../periods/locks.ts';
import { outdatedText } from '../periods/period-folder.ts';
import { isComplete, type Run, rewrittenBefore, runsOf } from '../periods/runs.ts';
import { type UnclosedReturn, unclosedMonths, unclosedReturns } from '../periods/unclosed.ts';
import { nextStep, type PeriodBooks, type PeriodStatus } from './next-step.ts';
import { linesAboutFiles } from './readiness-lines.ts';
import { datedReturns } from './status-returns.ts';

/** How an entity stands: its periods, its locks, and what to do next. */
export type EntityStatus = {
  readonly entity: string;
  /** The error with which any close of the entity stops before it reads exports. */
  readonly stop: TieoutError | undefined;
  readonly periods: readonly PeriodStatus[];
  /** Returns that no close has, as of a day. */
  readonly unclosed: readonly UnclosedReturn[];
  readonly today: CalendarDate;
  /** The lines of the register about the entity. */
  readonly lines: readonly LockLine[];
  /** The next step, in a line. */
  readonly next: string;
};

type Asked = {
  readonly period: string | undefined;
  readonly today: CalendarDate;
  readonly output: string;
};

/** Reads how an entity stands. */
export const statusOf = async (
  configuration: LoadedConfiguration,
  { period, today, output }: Asked,
): Promise<EntityStatus> => {
  const { entity, registrations, undecided, resolvePath } = configuration;
  const place = lockPlaceOf({ configuration, output });
  const locks = await orStop(() => readLocks(place), NO_LOCKS);
  const filings = await orStop(() => readFilings(place.root, entity), []);
  const labels = new Set(locks.value.versions.map(({ name }) => name));
  const folders = await orStop(() => publishedPeriods(place.output, labels), NOTHING_PUBLISHED);
  const published = folders.value;
  const stop = locks.stop ?? undecided ?? filings.stop;
  const isShown = (label: string): boolean =>
    period === undefined || label === period || amendedPeriod(label) === period;
  const around = { configuration, published, locks: locks.value, filings: filings.value, today };
  const all = await periodsOf(around, await runsOf(resolvePath('.tieout'), entity));
  const periods = all.filter((each) => isShown(each.period));
  const closed = await countingPeriods(published);
  const unclosed = unclosedReturns(closed, registrations, today).filter(
    ({ dueDate }) => period === undefined || dueDate.period.label === period,
  );
  const missing = [
    ...(period === undefined ? unclosedMonths(closed.map((each) => each.period)) : []),
    ...unclosed.filter(({ isLockedOut }) => !isLockedOut).map(({ dueDate }) => dueDate.period),
  ];
  return {
    entity,
    stop,
    periods,
    unclosed,
    today,
    lines: locks.value.lines.filter((line) => line.entity === entity && isShown(line.period)),
    next: stop?.nextStep ?? nextStep(periods, missing, locks.value, period),
  };
};

/** Returns what is read, or in its place nothing and the error that a close would stop with. */
const orStop = async <Value>(
  read: () => Promise<Value>,
  nothing: Value,
): Promise<{ readonly value: Value; readonly stop?: TieoutError }> => {
  try {
    return { value: await read() };
  } catch (error) {
    const stop = designedError(error);
    if (!stop) throw error;
    return { value: nothing, stop };
  }
};

const NO_LOCKS: Locks = { lines: [], ...lockedDays([]) };
const NOTHING_PUBLISHED: PublishedPeriods = {
  versions: [],
  of: async () => undefined,
  last: async () => undefined,
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
  const { published } = around;
  const labels = new Set([...published.versions.map(({ label }) => label), ...runs.map((run) => run.period)]);
  const periods: PeriodStatus[] = [];
  for (const period of [...labels].sort(byDays)) {
    const run = runs.findLast((each) => each.period === period);
    const { value: found } = await orStop(() => published.of(period), undefined);
    const { value: books } = await orStop(async () => found && booksOf(found, around), undefined);
    const notCurrent = found && books ? await staleReasons(found, books, run, around) : [];
    periods.push({ period, run, books, notCurrent });
  }
  return periods;
};

const byDays = (one: string, other: string): number => {
  const [left, right] = [one, other].map((label) => parseVersion(label)?.last ?? '');
  return compareText(left ?? '', right ?? '') || compareText(one, other);
};

const booksOf = async (found: PublishedPeriod, { locks, filings, today }: Around): Promise<PeriodBooks> => {
  const { period, folder, manifest, leaves, isLocked } = found;
  const report = await closedReportOf(found);
  const digest = await found.manifestDigest();
  return {
    folder,
    variance: varianceOf(report),
    open: manifest.content.exceptions.open,
    readiness: readinessFigures(leaves.readiness),
    isOver: period.last < today,
    isSigned: locks.lines.some(({ what, manifest: signed }) => what === 'signed' && signed === digest),
    isLocked,
    aboutFiles: linesAboutFiles(report),
    returns: datedReturns(report, { today, filings, isLocked }),
    unreturned: leaves.unreturned ?? [],
  };
};

const staleReasons = async (
  found: PublishedPeriod,
  { isLocked, isOver }: PeriodBooks,
  run: Run | undefined,
  { configuration, published }: Around,
): Promise<readonly string[]> => {
  if (isLocked) return [];
  const { madeEarly } = await closedReportOf(found);
  const outdatedBy = await rewrittenBefore(published, found);
  return [
    ...(found.manifest.content.configuration === configurationParts(configuration).configuration
      ? []
      : ['closed with another configuration']),
    ...(isOver && madeEarly ? ['closed before its last day was over'] : []),
    ...(run && !isComplete(run) ? ['its files are of an earlier run'] : []),
    ...(outdatedBy === undefined ? [] : [outdatedText(outdatedBy, 'it builds')]),
  ];
};
