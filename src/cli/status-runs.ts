import { type OutdatedCause, outdatedText } from '../close/periods/outdated-closings.ts';
import type { ReadinessFigures } from '../close/reconcile/readiness.ts';
import { PRELIMINARY } from '../close/stages/run/running-period.ts';
import { errorOf, type Run, type RunNote } from '../close/workspace/runs.ts';
import { type CalendarDate, formatInstant, type Instant } from '../kernel/calendar.ts';
import { parseMoney, ZERO } from '../kernel/money.ts';
import { shownMoney, shownNumber } from '../kernel/shown-figures.ts';
import { shownSeconds } from '../runtime/progress.ts';
import { endWord, REASONS_SHOWN_MAX, reasonLine, sharedReasons } from './readiness-lines.ts';
import { type PeriodReturns, returnLines } from './status-returns.ts';

/** The last run of a period, with whether its exports or its configuration changed since. */
export type PeriodRun = RunNote &
  PeriodReturns & {
    /** Why a close would write other books; `undefined` when it would not. */
    readonly outdated: OutdatedCause | undefined;
    readonly isLive: boolean;
    readonly isLocked: boolean;
    /** Whether locks of other periods have filed days of it, so that it cannot be locked itself. */
    readonly isLockedInPart: boolean;
    readonly isOver: boolean;
    /** The day on which its books were written, if that was before the period was over. */
    readonly closedEarly: CalendarDate | undefined;
    readonly isSigned: boolean;
    /** Settings that changed since it was closed; its returns are computed with the current ones. */
    readonly configurationChanged: readonly string[];
    /** Exports that now lack rows on which the books are based. */
    readonly aboutFiles: readonly string[];
    readonly endsEarly: readonly string[];
  };

export type ShownRun = Run & { readonly isLive: boolean };

/** The outcome of a run: the variance, the open exceptions, and the folder of the books. */
type Outcome = { readonly variance: string; readonly open: number; readonly folder: string };

export const outcomeIn = ({ figures }: Pick<Run, 'figures'>): Outcome | undefined =>
  (figures as { readonly outcome?: Outcome } | null)?.outcome;

/** Returns the readiness of a run; `undefined` if the run did not complete. */
export const readinessIn = ({ figures }: Pick<Run, 'figures'>): ReadinessFigures | undefined =>
  (figures as { readonly readiness?: ReadinessFigures } | null)?.readiness;

const endOf = (run: Pick<Run, 'exitCode' | 'figures'>, isPreliminary = false): string => {
  const { exitCode } = run;
  if (exitCode === null) return 'cut off: run it again';
  const word = endWord(exitCode);
  return word
    ? `closed: ${word}${isPreliminary ? `, ${PRELIMINARY}` : ''}`
    : `stopped: ${[errorOf(run)?.code, `exit code ${exitCode}`].filter(Boolean).join(', ')}`;
};

const reasonLines = (run: PeriodRun): readonly string[] => {
  const figures = readinessIn(run)?.reasons ?? [];
  const reasons = sharedReasons(
    figures.map((reason) => ({ ...reason, effect: parseMoney(reason.effect) ?? ZERO })),
  );
  const lines = reasons.slice(0, REASONS_SHOWN_MAX).map(reasonLine);
  const more = reasons.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more in Decide or on Checks`] : [])];
};

/** Formats the last run of a period, its outcome and its returns. */
export const lineOf = (run: PeriodRun, now: Instant): string =>
  [
    headOf(run, now),
    ...indented([
      ...errorLines(run),
      ...outcomeLines(run),
      ...reasonLines(run),
      ...run.aboutFiles,
      ...run.endsEarly,
      ...returnLines(run),
    ]),
  ].join('\n');

const indented = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => `${' '.repeat(18)} ${line}`);

const errorLines = (run: Pick<Run, 'figures'>): readonly string[] => [errorOf(run)?.message ?? []].flat();

/** Lists the newest runs; a failed one stays visible even if a later one succeeded. */
export const newestLines = (runs: readonly ShownRun[]): readonly string[] =>
  runs.length < 2
    ? []
    : [
        '',
        'Newest runs:',
        ...runs.map((run) => {
          const end = run.isLive ? 'running' : endOf(run);
          const line = `  ${minuteOf(run.started)} UTC  ${run.period.padEnd(10)} ${end}`;
          return [line, ...errorLines(run)].join(': ');
        }),
      ];

const outcomeLines = (run: PeriodRun): readonly string[] => {
  const outcome = outcomeIn(run);
  if (!outcome) return [];
  const { variance, open, folder } = outcome;
  const figures = `variance ${shownMoney(parseMoney(variance) ?? ZERO)}, ${shownNumber(open, 'open exception')}`;
  return [figures, folder];
};

const stateOf = (run: PeriodRun, now: Instant): string =>
  run.isLive
    ? `running for ${shownSeconds((now - run.started) / 1000)}`
    : endOf(run, !run.isOver && !run.isLocked);

const headOf = (run: PeriodRun, now: Instant): string => {
  const { period, started } = run;
  const line = `${period.padEnd(18)} ${stateOf(run, now).padEnd(27)}  run of ${minuteOf(started)} UTC`;
  const reasons = run.filesOf === null ? [] : staleReasons(run, run.filesOf);
  return [line, ...indented(reasons.map((reason) => `NOT CURRENT: ${reason}`))].join('\n');
};

/** Whether a close would write the same books now. */
export const isCurrent = (run: PeriodRun): boolean =>
  run.filesAreCurrent &&
  run.outdated === undefined &&
  run.configurationChanged.length === 0 &&
  !wasClosedEarly(run);

/** Whether a period is over whose books were written before that. */
const wasClosedEarly = ({ isOver, closedEarly }: PeriodRun): boolean => isOver && closedEarly !== undefined;

/** Lists why the books of a period differ from what a close would write now. */
const staleReasons = (run: PeriodRun, filesOf: Instant): readonly string[] => {
  const { started, filesAreCurrent, outdated, configurationChanged } = run;
  const unfinished = `its files are of the run of ${secondOf(filesOf)} UTC, and that of ${secondOf(started)} UTC ${unwritten(run)}`;
  return [
    ...(configurationChanged.length === 0
      ? []
      : [`closed with another configuration (${configurationChanged.join(', ')}); close it again`]),
    ...(wasClosedEarly(run) ? [`closed on ${run.closedEarly}, before its last day; close it again`] : []),
    ...(filesAreCurrent ? [] : [unfinished]),
    ...(filesAreCurrent && outdated ? [`${outdatedText(outdated, 'it')} since; close it again`] : []),
  ];
};

/** Describes why a run kept the files of an earlier one. */
const unwritten = ({ isLive, exitCode }: PeriodRun): string => {
  if (isLive) return 'is still at work';
  return exitCode === null ? 'was cut off before it wrote any' : 'stopped before it wrote any';
};

const secondOf = (at: Instant): string => formatInstant(at).slice(0, 19).replace('T', ' ');

const minuteOf = (at: Instant): string => formatInstant(at).slice(0, 16).replace('T', ' ');
