import { isPayable } from '../close/figures/pay-list.ts';
import type { WaitingLate } from '../close/periods/waiting-late.ts';
import type { ReadinessFigures } from '../close/reconcile/readiness.ts';
import type { RunError } from '../close/workspace/runs.ts';
import { parseVersion } from '../kernel/amended-version.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { shownNumber } from '../kernel/shown-figures.ts';
import { sentence } from './print-error.ts';
import { pasteable } from './readiness-lines.ts';
import type { DatedReturn } from './status-returns.ts';
import { closeAgainText } from './status-unclosed.ts';

/** The state of a period that determines the next step for it. */
export type PeriodStanding = {
  readonly period: string;
  /** Whether the last run wrote the books of the period. */
  readonly filesAreCurrent: boolean;
  /** The error that stopped that run, if any. */
  readonly error: RunError | undefined;
  /** Whether a close would write the same books now. */
  readonly isCurrent: boolean;
  readonly isLive: boolean;
  readonly isOver: boolean;
  readonly isSigned: boolean;
  readonly isLocked: boolean;
  /** Whether locks of other periods have filed some of its days, so that it cannot be locked itself. */
  readonly isLockedInPart: boolean;
  readonly readiness: ReadinessFigures | undefined;
  /** Its returns as of today. */
  readonly returns: readonly Pick<DatedReturn, 'key' | 'status' | 'isLate' | 'mayBeLate'>[];
  /** The folder of its books, if it has any. */
  readonly folder: string | undefined;
};

/** Periods with returns that no close has, the earliest due first: those to close, and those that are locked without them. */
type UnclosedPeriods = Readonly<Record<'open' | 'locked', readonly FilingPeriod[]>>;

/**
 * Describes the next step: for the earliest period that is not locked, or for late items of locked periods. Returns that
 * are overdue come first, because penalty and interest run on them.
 *
 * @param options Options that select the configuration and the entity in a command
 * @param asked The requested period, if any
 */
export const nextStep = (
  periods: readonly PeriodStanding[],
  unclosed: UnclosedPeriods,
  late: readonly WaitingLate[],
  options: string,
  asked: string | undefined,
): string => {
  const step = stepAfterPayment(periods, unclosed, late, options, asked);
  const overdue = returnsWith(periods, ({ isLate }) => isLate);
  const unknown = returnsWith(periods, ({ mayBeLate }) => mayBeLate);
  return [
    ...(overdue === '' ? [] : [`file and pay the overdue returns of ${overdue} now. Then `]),
    ...(unknown === ''
      ? []
      : [
          `look up when the returns of ${unknown} are due: those dates are not verified, and may be over. Then `,
        ]),
    step,
  ].join('');
};

/** Names the returns that are still to be filed and fit, period by period: `2026-10 (FL, CO) and 2026-11 (FL)`. */
const returnsWith = (
  periods: readonly PeriodStanding[],
  fits: (each: PeriodStanding['returns'][number]) => boolean,
): string =>
  periods
    .flatMap(({ period, isLocked, isCurrent, returns }) => {
      const keys = returns.filter((each) => isPayable(each) && fits(each)).map(({ key }) => key);
      return isLocked || !isCurrent || keys.length === 0 ? [] : `${period} (${keys.join(', ')})`;
    })
    .join(' and ');

const stepAfterPayment = (
  periods: readonly PeriodStanding[],
  unclosed: UnclosedPeriods,
  late: readonly WaitingLate[],
  options: string,
  asked: string | undefined,
): string => {
  for (const period of periods.filter(({ isLocked }) => !isLocked)) {
    const first = parseVersion(period.period)?.first ?? '';
    const step =
      unclosedStep(
        unclosed.open.find(({ last }) => last < first),
        options,
      ) ?? stepOf(period, options);
    if (step !== undefined) return step;
  }
  const step = unclosedStep(unclosed.open[0], options);
  if (step !== undefined) return step;
  const [waiting] = late;
  if (waiting) return lateStep(waiting, options);
  const unfiled = periods.find(({ isLocked, returns }) => !isLocked && returns.some(isPayable));
  if (unfiled)
    return `file the returns of ${unfiled.period}; \`tieout lock ${unfiled.period} --as NAME${options}\` holds them as soon as all of its days are in locked periods.`;
  const [without] = unclosed.locked;
  if (without)
    return `file the returns of ${without.label} that it was locked without, or ${closeAgainText(without.label, options)}.`;
  if (periods.length > 0 && asked !== undefined) return `nothing for ${asked}, which is locked.`;
  return periods.length === 0
    ? `\`tieout doctor${options}\` checks that a close has everything it needs, \`tieout close ${asked ?? 'PERIOD'}${options}\` closes ${asked ?? 'a month such as 2026-10'}.`
    : 'nothing. Every day closed so far is locked.';
};

const unclosedStep = (unclosed: FilingPeriod | undefined, options: string): string | undefined =>
  unclosed &&
  `\`tieout close ${unclosed.label}${options}\`, which works out the returns of ${unclosed.label}.`;

/** Describes the next step for a period that is not locked; `undefined` if nothing is left but to file its returns. */
const stepOf = (standing: PeriodStanding, options: string): string | undefined => {
  const { period, filesAreCurrent, error, isCurrent, isLive, isOver, isSigned, readiness, folder } = standing;
  const close = `\`tieout close ${period}${options}\``;
  if (isLive) return `wait; the run of ${period} is at work.`;
  if (!filesAreCurrent) {
    const goOn = `${close}, which continues where the run of ${period} stopped.`;
    return error
      ? `${error.code} stopped the run of ${period}: ${sentence(error.nextStep ?? 'settle that first')} Then ${goOn}`
      : goOn;
  }
  if (!isCurrent) return `${close}, because the books of ${period} are not current.`;
  const [reason] = readiness?.reasons ?? [];
  if (reason) {
    const shown = pasteable(reason.todo, { options, folder: folder ?? '', record: reason.record });
    const said = `${period}, ${[reason.code, reason.record].filter((word) => word !== '').join(' of ')}: ${shown}`;
    // A return of a shorter period is filed from another close; this one stays as it is.
    return reason.kind === 'period' ? said : `${said} Then ${close}.`;
  }
  if (!isOver) return `${close} once ${period} is over.`;
  if (standing.isLockedInPart) return undefined;
  const lock = `\`tieout lock ${period} --as NAME${options}\` when it is filed.`;
  if (isSigned) return lock;
  return `look through the books of ${period}, then \`tieout sign ${period} --as NAME --role preparer${options}\`, and ${lock}`;
};

const lateStep = (
  { period, undecided, carried, nextOpen, filedSince, begun }: WaitingLate,
  options: string,
): string => {
  const late = `tieout late ${period}`;
  if (begun !== undefined) return `\`${late} --amend${options}\` closes and locks ${begun}.`;
  if (filedSince.length > 0)
    return `\`${late} --amend --as NAME${options}\` files the returns of ${period} again, because ${filedSince.join(', ')} was filed since.`;
  if (undecided.length > 0)
    return `\`${late}${options}\` shows what came late for ${period}; with --carry or --amend it decides where that is filed.`;
  return `close the period that begins on ${nextOpen}: it files ${shownNumber(carried.length, 'record')} that came late for ${period}.`;
};
