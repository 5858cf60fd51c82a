import { join } from 'node:path';
import type { LoadedConfiguration } from '../close/configuration/load-configuration.ts';
import { type LockLine, versionLabel } from '../close/evidence/lock-line.ts';
import { MANIFEST_PATH } from '../close/evidence/manifest.ts';
import type { LateLine } from '../close/figures/late-line.ts';
import { varianceOf } from '../close/figures/period-report.ts';
import type { ReadinessFigures } from '../close/reconcile/readiness.ts';
import { type CalendarDate, formatInstant, type Instant } from '../kernel/calendar.ts';
import { formatMoney, type Money, parseMoney, ZERO } from '../kernel/money.ts';
import { type FilingPeriod, monthsOf } from '../kernel/period.ts';
import { shownMoney, shownNumber } from '../kernel/text.ts';
import type { Filing } from '../periods/filings.ts';
import {
  closedReportOf,
  type LockedPeriod,
  type Locks,
  type PublishedPeriod,
  type PublishedPeriods,
} from '../periods/folders.ts';
import { type Run, rewrittenBefore } from '../periods/runs.ts';
import { outdatedText, PRELIMINARY } from '../run/period-folder.ts';
import { shownSeconds } from '../runtime/progress.ts';
import { sha256OfFile } from '../runtime/publish-folder.ts';
import { changedSettings } from './news.ts';
import { endWord, linesAboutFiles, REASONS_SHOWN_MAX, reasonLine, sharedReasons } from './readiness-lines.ts';
import { datedReturns, type PeriodReturns, returnLines, returnObjects } from './status-returns.ts';

/** The books in the folder of a period. */
export type PeriodBooks = PeriodReturns & {
  readonly folder: string;
  readonly variance: Money;
  /** Number of open exceptions. */
  readonly open: number;
  readonly readiness: ReadinessFigures;
  readonly isOver: boolean;
  /** The day on which they were written, if that was before the period was over. */
  readonly closedEarly: CalendarDate | undefined;
  readonly isSigned: boolean;
  readonly isLocked: boolean;
  /** Whether locks of other periods hold some of its days and not all, so that it cannot be locked itself. */
  readonly isLockedInPart: boolean;
  /** Settings that changed since it was closed; its returns are computed with the current ones. */
  readonly configurationChanged: readonly string[];
  /** A period on which they build and whose books were written again since. */
  readonly outdatedBy: string | undefined;
  /** Exports that may be cut off. */
  readonly aboutFiles: readonly string[];
};

/** A period with its last run and its books. */
export type PeriodStatus = {
  readonly period: string;
  /** `undefined` if no run of it is noted. */
  readonly run: Run | undefined;
  readonly isLive: boolean;
  /** When the run began that wrote its books, as far as that is noted. */
  readonly filesOf: Instant | null;
  /** Whether no later run began. */
  readonly filesAreCurrent: boolean;
  readonly books: PeriodBooks | undefined;
};

/** Returns how a run ended; `undefined` of one that wrote its books. */
const stopOf = (run: Run | undefined): string | undefined => {
  if (!run) return undefined;
  if (run.exitCode === null) return 'cut off: run it again';
  if (endWord(run.exitCode) !== undefined) return undefined;
  return `stopped: ${[run.error?.code, `exit code ${run.exitCode}`].filter(Boolean).join(', ')}`;
};

const endOf = (run: Run): string => stopOf(run) ?? `closed: ${endWord(run.exitCode ?? 0)}`;

/** Formats the last run of a period, its books and its returns. */
export const periodLines = (status: PeriodStatus, now: Instant): string => {
  const { run, books, filesAreCurrent } = status;
  const elsewhere = books || !run?.outcome ? [] : [`its last close wrote ${run.outcome.folder}`];
  const shown = filesAreCurrent && books ? [...figureLines(books), ...reasonLines(books)] : elsewhere;
  return [
    headOf(status, now),
    ...indented([
      ...staleReasons(status).map((reason) => `NOT CURRENT: ${reason}`),
      ...[run?.error?.message ?? []].flat(),
      ...shown,
      ...(books ? [...books.aboutFiles, ...returnLines(books)] : []),
    ]),
  ].join('\n');
};

const indented = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => `${' '.repeat(18)} ${line}`);

const figureLines = ({ variance, open, folder }: PeriodBooks): readonly string[] => [
  `variance ${shownMoney(variance)}, ${shownNumber(open, 'open exception')}`,
  folder,
];

const reasonLines = ({ readiness }: PeriodBooks): readonly string[] => {
  const reasons = sharedReasons(
    readiness.reasons.map((reason) => ({ ...reason, effect: parseMoney(reason.effect) ?? ZERO })),
  );
  const more = reasons.length - REASONS_SHOWN_MAX;
  return [
    ...reasons.slice(0, REASONS_SHOWN_MAX).map(reasonLine),
    ...(more > 0 ? [`and ${more} more in Decide or on Checks`] : []),
  ];
};

const headOf = ({ period, run, books, isLive }: PeriodStatus, now: Instant): string => {
  const state = isLive && run ? `running for ${shownSeconds((now - run.started) / 1000)}` : undefined;
  const word = state ?? stopOf(run) ?? (books ? stateOf(books) : 'no books here');
  return `${period.padEnd(18)} ${word.padEnd(27)}${run ? `  run of ${minuteOf(run.started)} UTC` : ''}`.trimEnd();
};

const stateOf = ({ readiness, isOver, isLocked }: PeriodBooks): string =>
  `closed: ${readiness.ready ? 'READY' : 'NOT READY'}${isOver || isLocked ? '' : `, ${PRELIMINARY}`}`;

/** Whether a close would write the same books now, as far as that shows without reading the exports. */
export const isCurrent = (status: PeriodStatus): boolean => staleReasons(status).length === 0;

/** Lists why the books of a period may differ from what a close would write now. */
const staleReasons = (status: PeriodStatus): readonly string[] => {
  const { books, filesAreCurrent } = status;
  if (books?.isLocked) return [];
  const { configurationChanged = [], closedEarly, isOver, outdatedBy } = books ?? {};
  return [
    ...(configurationChanged.length === 0
      ? []
      : [`closed with another configuration (${configurationChanged.join(', ')}); close it again`]),
    ...(isOver && closedEarly !== undefined
      ? [`closed on ${closedEarly}, before its last day; close it again`]
      : []),
    ...(filesAreCurrent ? [] : unfinishedReason(status)),
    ...(filesAreCurrent && outdatedBy !== undefined
      ? [`${outdatedText(outdatedBy, 'it builds')}; close it again`]
      : []),
  ];
};

const unfinishedReason = ({ run, books, isLive, filesOf }: PeriodStatus): readonly string[] => {
  if (!run || (!books && filesOf === null)) return [];
  const made = filesOf === null ? 'an earlier run' : `the run of ${secondOf(filesOf)} UTC`;
  return [`its files are of ${made}, and that of ${secondOf(run.started)} UTC ${unwritten(run, isLive)}`];
};

/** Describes why a run kept the files of an earlier one. */
const unwritten = ({ exitCode }: Run, isLive: boolean): string => {
  if (isLive) return 'is still at work';
  return exitCode === null ? 'was cut off before it wrote any' : 'stopped before it wrote any';
};

/** Lists the newest runs; a failed one stays visible even if a later one succeeded. */
export const newestLines = (runs: readonly (Run & { readonly isLive: boolean })[]): readonly string[] =>
  runs.length < 2
    ? []
    : [
        '',
        'Newest runs:',
        ...runs.map((run) => {
          const line = `  ${minuteOf(run.started)} UTC  ${run.period.padEnd(10)} ${run.isLive ? 'running' : endOf(run)}`;
          return [line, ...[run.error?.message ?? []].flat()].join(': ');
        }),
      ];

const secondOf = (at: Instant): string => formatInstant(at).slice(0, 19).replace('T', ' ');

const minuteOf = (at: Instant): string => formatInstant(at).slice(0, 16).replace('T', ' ');

/** Returns the same as JSON. */
export const periodObject = ({
  period,
  run,
  isLive,
  filesOf,
  filesAreCurrent,
  books,
}: PeriodStatus): object => {
  const { returns, unreturned, variance, isLockedInPart, ...shown } = books ?? NO_BOOKS;
  return {
    period,
    pipeline: run?.pipeline ?? null,
    started: run ? formatInstant(run.started) : null,
    finished: run?.finished == null ? null : formatInstant(run.finished),
    exitCode: run?.exitCode ?? null,
    error: run?.error ?? null,
    ...{ isLive, filesOf: filesOf === null ? null : formatInstant(filesOf), filesAreCurrent },
    ...{ ...shown, variance: books ? formatMoney(variance) : null },
    preliminary: books !== undefined && !books.isOver && !books.isLocked,
    ...returnObjects({ returns, unreturned }),
  };
};

const NO_BOOKS = {
  folder: null,
  variance: ZERO,
  open: null,
  readiness: null,
  isOver: false,
  closedEarly: undefined,
  isSigned: false,
  isLocked: false,
  isLockedInPart: false,
  configurationChanged: [],
  outdatedBy: undefined,
  aboutFiles: [],
  returns: [],
  unreturned: [],
};

/** What tells how the books of a period stand. */
export type Around = {
  readonly configuration: LoadedConfiguration;
  readonly published: PublishedPeriods;
  readonly locks: Pick<Locks, 'lines' | 'periods' | 'versions'>;
  readonly filings: readonly Filing[];
  readonly today: CalendarDate;
};

/** Reads the books in the folder of a period. */
export const booksOf = async (
  found: PublishedPeriod,
  lastClose: Run | undefined,
  { configuration, published, locks, filings, today }: Around,
): Promise<PeriodBooks> => {
  const { period, folder, manifest, leaves, isLocked } = found;
  const { content } = manifest;
  const report = await closedReportOf(found);
  const standing = { today, filings, isLocked };
  return {
    folder,
    variance: varianceOf({ ...report, exceptions: [] }),
    open: content.exceptions.open,
    readiness: content.readiness,
    isOver: period.last < today,
    closedEarly: report.madeEarly,
    isSigned: await isSigned(found, locks.lines),
    isLocked,
    isLockedInPart: isLockedInPart(period, locks),
    configurationChanged: isLocked ? [] : changedSettings(content, lastClose, configuration),
    outdatedBy: await rewrittenBefore(published, found),
    aboutFiles: linesAboutFiles(report),
    returns: datedReturns(report, standing),
    unreturned: leaves.unreturned ?? [],
  };
};

const isSigned = async (
  { period, folder, manifest }: PublishedPeriod,
  lines: readonly LockLine[],
): Promise<boolean> => {
  const own = lines.filter(
    (line) =>
      line.what === 'signed' &&
      line.entity === manifest.content.entity &&
      versionLabel(line) === period.label,
  );
  if (own.length === 0) return false;
  const digest = await sha256OfFile(join(folder, MANIFEST_PATH));
  return own.some((line) => line.manifest === digest);
};

const isLockedInPart = (period: FilingPeriod, { periods, versions }: Around['locks']): boolean => {
  const inCommon = periods.filter((lock) => lock.first <= period.last && period.first <= lock.last);
  if (inCommon.length === 0 || versions.some(({ name }) => name === period.label)) return false;
  return !monthsOf(period).every((month) =>
    inCommon.some((lock) => period.first <= lock.first && lock.last <= period.last && isIn(lock, month)),
  );
};

const isIn = (lock: FilingPeriod, month: FilingPeriod): boolean =>
  lock.first <= month.first && month.last <= lock.last;

const DIGEST_SHOWN = 12;
const RECORDS_SHOWN_MAX = 5;

/** The locks of an entity, what waits for a decision about them, and their history. */
export type LockStatus = {
  readonly versions: readonly LockedPeriod[];
  /** The lines of the register about the entity. */
  readonly lines: readonly LockLine[];
  /** What came late for locked periods and is open in the books of a later one. */
  readonly late: readonly LateLine[];
};

/** Lists for people the locked periods, what came late for them, and the history of all periods. */
export const lockLines = (status: LockStatus): readonly string[] => [
  ...status.versions.flatMap((version) => [
    `${version.name.padEnd(18)} locked, manifest ${(lockOf(version, status)?.manifest ?? '').slice(0, DIGEST_SHOWN)}`,
    ...waitingLines(recordsOf(version, status)),
  ]),
  ...status.lines.map((line) => {
    const { what, by, at, why } = line;
    const name = `${by.name}${by.role === '' ? '' : ` as ${by.role}`}`;
    const reason = why === '' ? '' : `: ${why}`;
    return `${versionLabel(line).padEnd(18)} ${what} on ${at.slice(0, 16).replace('T', ' ')} UTC by ${name}${reason}`;
  }),
];

const waitingLines = (records: readonly string[]): readonly string[] => {
  if (records.length === 0) return [];
  const more = records.length - RECORDS_SHOWN_MAX;
  const named = [...records.slice(0, RECORDS_SHOWN_MAX), ...(more > 0 ? [`and ${more} more`] : [])];
  return [`${' '.repeat(18)} came late, to be decided: ${named.join(', ')}`];
};

/** The records that came late for a version in effect. */
const recordsOf = ({ label, name }: LockedPeriod, { versions, late }: LockStatus): readonly string[] => {
  if (versions.findLast((version) => version.label === label)?.name !== name) return [];
  return [...new Set(late.filter(({ period }) => period === label).map(({ record }) => record))];
};

const lockOf = ({ name }: LockedPeriod, { lines }: LockStatus): LockLine | undefined =>
  lines.findLast((line) => line.what === 'locked' && versionLabel(line) === name);

/** Returns the same as JSON. */
export const lockObjects = (status: LockStatus): object => ({
  locks: status.versions.map((version) => {
    const { name, label, version: number } = version;
    const digest = lockOf(version, status)?.manifest;
    return {
      ...{ label: name, period: label, version: number, state: 'locked', digest },
      signatures: status.lines
        .filter((line) => line.what === 'signed' && versionLabel(line) === name && line.manifest === digest)
        .map(({ by, at }) => ({ role: by.role, name: by.name, at, with_key: by.signature !== null })),
      late: { undecided: recordsOf(version, status) },
    };
  }),
  events: status.lines.map((line) => ({
    ...{ period: versionLabel(line), what: line.what, at: line.at },
    ...{ who: line.by.name, role: line.by.role, why: line.why },
  })),
});
