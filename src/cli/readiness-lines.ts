import { basename } from 'node:path';
import type { PeriodReport } from '../figures/period-report.ts';
import { actionOf, type Readiness, type ReadinessReason, readinessLine } from '../judge/readiness.ts';
import { ZERO } from '../kernel/money.ts';
import { quoted, shownChange, shownMoney } from '../kernel/text.ts';

/** Maximum number of reasons listed; the sheet Decide has everything to decide. */
export const REASONS_SHOWN_MAX = 10;

/**
 * Describes for people whether the period can be filed, with the reasons if not; a step that several reasons share
 * follows them once.
 *
 * @param folder The folder of the period's books
 */
export const readinessLines = (readiness: Readiness, folder: string): readonly string[] => {
  const { accepted } = readiness;
  const reasons = sharedReasons(readiness.reasons);
  const shown = reasons.slice(0, REASONS_SHOWN_MAX);
  return [
    readinessLine(readiness),
    ...[...Map.groupBy(shown, actionOf)].flatMap(([todo, of]) => [
      ...of.map((reason) => `  ${reasonLine(reason)}`),
      `    to do: ${pasteable(todo, folder, of.find(({ record }) => record !== '')?.record ?? '')}`,
    ]),
    ...(reasons.length > REASONS_SHOWN_MAX
      ? [`  and ${reasons.length - REASONS_SHOWN_MAX} more in Decide or on Checks`]
      : []),
    ...accepted
      .slice(0, REASONS_SHOWN_MAX)
      .map(({ code, state, what, why }) => `  accepted ${code} ${state}: ${what} (${why})`),
  ];
};

/** Joins reasons that differ only in their state; the joined reason names all of their states. */
export const sharedReasons = (reasons: readonly ReadinessReason[]): readonly ReadinessReason[] =>
  [...Map.groupBy(reasons, (reason) => JSON.stringify({ ...reason, state: '' })).values()].flatMap(
    ([first, ...others]) =>
      first ? [{ ...first, state: [first, ...others].map(({ state }) => state).join(', ') }] : [],
  );

/** Completes the command of a to-do that shows a record, so that it can be run. */
export const pasteable = (todo: string, folder: string, record: string): string =>
  todo.replace('FOLDER RECORD', () =>
    [folder, record]
      .filter((word) => word !== '')
      .map(quoted)
      .join(' '),
  );

/** Formats a reason as one line. */
export const reasonLine = ({ kind, code, record, state, what, effect }: ReadinessReason): string => {
  if (kind === 'check') return `does not hold: ${what}`;
  if (kind === 'gap') return `gap ${code} ${state} ${shownMoney(effect)}: ${what}`;
  const amount = effect === ZERO ? '' : shownChange(effect);
  if (kind === 'period') return `${code} ${state}: ${what}`;
  return `${[kind, code, record, state, amount].filter((word) => word !== '').join(' ')}: ${what}`;
};

const ENDS: Readonly<Record<number, string>> = { 0: 'READY', 1: 'NOT READY' };

/** Returns the word for the result of a run that wrote its books; `undefined` for a run that was stopped. */
export const endWord = (exitCode: number): string | undefined => ENDS[exitCode];

/** Lists exports that may be cut off. */
export const linesAboutFiles = ({ inputs }: Pick<PeriodReport, 'inputs'>): readonly string[] =>
  inputs.flatMap(({ path, notices }) =>
    notices
      .filter(({ code }) => code === 'no-final-line-end')
      .map(({ code, message }) => `${code}: ${basename(path)}: ${message}`),
  );
