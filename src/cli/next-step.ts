import type { ReadinessFigures } from '../judge/readiness.ts';
import type { Money } from '../kernel/money.ts';
import { type FilingPeriod, parseVersion } from '../kernel/period.ts';
import { quoted } from '../kernel/text.ts';
import type { Locks } from '../periods/folders.ts';
import type { Run } from '../periods/runs.ts';
import { sentence } from './print.ts';
import { pasteable } from './readiness-lines.ts';
import { isUnfiled, type PeriodReturns } from './status-returns.ts';

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
  readonly readiness: ReadinessFigures;
  readonly isOver: boolean;
  readonly isSigned: boolean;
  readonly isLocked: boolean;
  /** Exports that may be cut off. */
  readonly aboutFiles: readonly string[];
};

/**
 * Describes the next step: overdue returns first, because penalty and interest run on them; then the earliest period that
 * is not locked, and then returns that are not filed.
 *
 * @param missing periods with days or returns that no close has, the earliest due first
 */
export const nextStep = (
  periods: readonly PeriodStatus[],
  missing: readonly FilingPeriod[],
  locks: Locks,
  asked: string | undefined,
): string => {
  const overdue = periods.flatMap(({ period, books, notCurrent }) => {
    const keys = (books?.returns ?? [])
      .filter((each) => isUnfiled(each) && each.isLate)
      .map(({ key }) => key);
    return keys.length > 0 && notCurrent.length === 0 ? `${period} (${keys.join(', ')})` : [];
  });
  const urgent =
    overdue.length === 0 ? '' : `file and pay the overdue returns of ${overdue.join(' and ')} now. Then `;
  return `${urgent}${stepAfterPayment(periods, missing, locks, asked)}`;
};

const stepAfterPayment = (
  periods: readonly PeriodStatus[],
  [first]: readonly FilingPeriod[],
  locks: Locks,
  asked: string | undefined,
): string => {
  const open = periods.find(({ period, books }) => !books?.isLocked && !isWithinLock(period, locks));
  if (first && (!open || first.last <= (parseVersion(open.period)?.last ?? '')))
    return `\`tieout close ${first.label}\`, which works out the returns of ${first.label}.`;
  if (open) return stepOf(open);
  for (const { period, books } of periods) {
    const [unfiled] = books?.returns.filter(isUnfiled) ?? [];
    if (!unfiled) continue;
    return `file the returns of ${period}, and write each down: \`tieout filed ${period} ${quoted(unfiled.key)} --on DAY --confirmation TEXT\`.`;
  }
  if (periods.length > 0)
    return asked === undefined
      ? 'nothing. Every day closed so far is locked, and its returns are filed.'
      : `nothing for ${asked}, which is locked and filed.`;
  return `\`tieout doctor\` checks that a close has everything it needs, \`tieout close ${asked ?? 'PERIOD'}\` closes ${asked ?? 'a month such as 2026-10'}.`;
};

/** Whether another lock reaches beyond the period and holds some of its days, so that it cannot be locked itself. */
const isWithinLock = (label: string, locks: Locks): boolean => {
  const period = parseVersion(label);
  return locks.periods.some(
    ({ first, last }) =>
      period !== undefined &&
      first <= period.last &&
      period.first <= last &&
      (first < period.first || period.last < last),
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
    const shown = pasteable(reason.todo, books.folder, reason.record);
    const text = `${period}, ${[reason.code, reason.record].filter((word) => word !== '').join(' of ')}: ${shown}`;
    // A return of a shorter period is filed from another close; this one stays as it is.
    return reason.kind === 'period' ? text : `${text} Then ${close}.`;
  }
  if (!books.isOver) return `${close} once ${period} is over.`;
  const lock = `\`tieout lock ${period} --as NAME\` when it is filed.`;
  return books.isSigned
    ? lock
    : `look through the books of ${period}, then \`tieout sign ${period} --as NAME --role preparer\`, and ${lock}`;
};
