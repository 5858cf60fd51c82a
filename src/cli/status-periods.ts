import type { ReadinessFigures } from '../close/reconcile/readiness.ts';
import { type CalendarDate, formatInstant, type Instant } from '../kernel/calendar.ts';
import { formatMoney, type Money, parseMoney, ZERO } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/shown-figures.ts';
import type { Run } from '../periods/runs.ts';
import { outdatedText } from '../run/out-of-date-note.ts';
import { PRELIMINARY } from '../run/running-period.ts';
import { shownSeconds } from '../runtime/progress.ts';
import { endWord, REASONS_SHOWN_MAX, reasonLine, sharedReasons } from './readiness-lines.ts';
import { type PeriodReturns, returnLines, returnObjects } from './status-returns.ts';

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
