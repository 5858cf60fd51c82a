import { parseVersion } from '../kernel/amended-version.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { sentence } from './print-error.ts';
import { pasteable } from './readiness-lines.ts';
import { isCurrent, type PeriodBooks, type PeriodStatus } from './status-periods.ts';
import { type DatedReturn, isUnfiled } from './status-returns.ts';
import { closeAgainText } from './status-unclosed.ts';

/** Periods with returns that no close has, the earliest due first: those to close, and those that are locked without them. */
type UnclosedPeriods = Readonly<Record<'open' | 'locked', readonly FilingPeriod[]>>;

/**
 * Describes the next step: for the earliest period that is not locked, or for returns that are not filed. Returns that are
 * overdue come first, because penalty and interest run on them.
 *
 * @param options Options that select the configuration and the entity in a command
 * @param asked The requested period, if any
 */
export const nextStep = (
  periods: readonly PeriodStatus[],
  unclosed: UnclosedPeriods,
  options: string,
  asked: string | undefined,
): string => {
  const overdue = returnsWith(periods, ({ isLate }) => isLate);
  const unknown = returnsWith(periods, ({ mayBeLate }) => mayBeLate);
  return [
    ...(overdue === '' ? [] : [`file and pay the overdue returns of ${overdue} now. Then `]),
    ...(unknown === ''
      ? []
      : [
          `look up when the returns of ${unknown} are due: those dates are not verified, and may be over. Then `,
        ]),
    stepAfterPayment(periods, unclosed, options, asked),
  ].join('');
};

/** Names the returns that are still to be filed and fit, period by period: `2026-10 (FL, CO) and 2026-11 (FL)`. */
const returnsWith = (periods: readonly PeriodStatus[], fits: (each: DatedReturn) => boolean): string =>
  periods
    .flatMap((status) => {
      const keys = unfiledIn(status)
        .filter(fits)
        .map(({ key }) => key);
      return isCurrent(status) && keys.length > 0 ? `${status.period} (${keys.join(', ')})` : [];
    })
    .join(' and ');

const unfiledIn = ({ books }: PeriodStatus): readonly DatedReturn[] => books?.returns.filter(isUnfiled) ?? [];

const stepAfterPayment = (
  periods: readonly PeriodStatus[],
  unclosed: UnclosedPeriods,
  options: string,
  asked: string | undefined,
): string => {
  for (const status of periods.filter(({ books }) => !books?.isLocked)) {
    const first = parseVersion(status.period)?.first ?? '';
    const earlier = unclosed.open.find(({ last }) => last < first);
    const step = unclosedStep(earlier, options) ?? stepOf(status, options);
    if (step !== undefined) return step;
  }
  const step = unclosedStep(unclosed.open[0], options);
  if (step !== undefined) return step;
  const unfiled = periods.find((status) => unfiledIn(status).length > 0);
  if (unfiled) return filingStep(unfiled, options);
  const [without] = unclosed.locked;
  if (without)
    return `file the returns of ${without.label} that it was locked without, or ${closeAgainText(without.label, options)}.`;
  if (periods.length > 0)
    return asked === undefined
      ? 'nothing. Every day closed so far is locked, and its returns are filed.'
      : `nothing for ${asked}, which is locked and filed.`;
  return `\`tieout doctor${options}\` checks that a close has everything it needs, \`tieout close ${asked ?? 'PERIOD'}${options}\` closes ${asked ?? 'a month such as 2026-10'}.`;
};

const filingStep = (status: PeriodStatus, options: string): string => {
  const { period, books } = status;
  const [first] = unfiledIn(status);
  const held = books?.isLocked
    ? ''
    : ` \`tieout lock ${period} --as NAME${options}\` holds them as soon as all of its days are in locked periods.`;
  return `file the returns of ${period}, and write each down: \`tieout filed ${period} ${JSON.stringify(first?.key ?? '').replace(/^"(\S*)"$/, '$1')} --on DAY --confirmation TEXT${options}\`.${held}`;
};

const unclosedStep = (unclosed: FilingPeriod | undefined, options: string): string | undefined =>
  unclosed &&
  `\`tieout close ${unclosed.label}${options}\`, which works out the returns of ${unclosed.label}.`;

/** Describes the next step for a period that is not locked; `undefined` if nothing is left but to file its returns. */
const stepOf = (status: PeriodStatus, options: string): string | undefined => {
  const { period, run, books, filesAreCurrent } = status;
  const close = `\`tieout close ${period}${options}\``;
  if (status.isLive) return `wait; the run of ${period} is at work.`;
  if (!books || !filesAreCurrent) {
    return run?.error
      ? `${run.error.code} stopped the run of ${period}: ${sentence(run.error.nextStep ?? 'settle that first')} Then ${close}.`
      : `${close}.`;
  }
  if (!isCurrent(status)) return `${close}, because the books of ${period} are not current.`;
  return stepOfBooks(period, books, close, options);
};

const stepOfBooks = (
  period: string,
  { readiness, folder, isOver, isLockedInPart, isSigned }: PeriodBooks,
  close: string,
  options: string,
): string | undefined => {
  const [reason] = readiness.reasons;
  if (reason) {
    const shown = pasteable(reason.todo, { options, folder, record: reason.record });
    const text = `${period}, ${[reason.code, reason.record].filter((word) => word !== '').join(' of ')}: ${shown}`;
    // A return of a shorter period is filed from another close; this one stays as it is.
    return reason.kind === 'period' ? text : `${text} Then ${close}.`;
  }
  if (!isOver) return `${close} once ${period} is over.`;
  if (isLockedInPart) return undefined;
  const lock = `\`tieout lock ${period} --as NAME${options}\` when it is filed.`;
  if (isSigned) return lock;
  return `look through the books of ${period}, then \`tieout sign ${period} --as NAME --role preparer${options}\`, and ${lock}`;
};
