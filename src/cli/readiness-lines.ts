import { actionOf, type Readiness, type ReadinessReason, readinessLine } from '../judge/readiness.ts';
import { ZERO } from '../kernel/money.ts';
import { shownChange, shownMoney } from '../kernel/text.ts';

/** Maximum number of reasons listed; the sheet Decide has everything to decide. */
const REASONS_SHOWN_MAX = 10;

/**
 * Describes for people whether the period can be filed, with the reasons if not; a step that several reasons share
 * follows them once.
 */
export const readinessLines = (readiness: Readiness): readonly string[] => {
  const { shown, more } = shownReasons(readiness.reasons);
  return [
    readinessLine(readiness),
    ...[...Map.groupBy(shown, actionOf)].flatMap(([todo, of]) => [
      ...of.map((reason) => `  ${reasonLine(reason)}`),
      `    to do: ${todo}`,
    ]),
    ...more.map((line) => `  ${line}`),
    ...readiness.accepted
      .slice(0, REASONS_SHOWN_MAX)
      .map(({ code, state, what, why }) => `  accepted ${code} ${state}: ${what} (${why})`),
  ];
};

/** Formats reasons, a line each. */
export const reasonLines = (reasons: readonly ReadinessReason[]): readonly string[] => {
  const { shown, more } = shownReasons(reasons);
  return [...shown.map(reasonLine), ...more];
};

/** Returns the reasons to list. Those that differ only in their state are one, which names all of their states. */
const shownReasons = (reasons: readonly ReadinessReason[]) => {
  const shared = [
    ...Map.groupBy(reasons, (reason) => JSON.stringify({ ...reason, state: '' })).values(),
  ].flatMap(([first, ...others]) =>
    first ? [{ ...first, state: [first, ...others].map(({ state }) => state).join(', ') }] : [],
  );
  const count = shared.length - REASONS_SHOWN_MAX;
  const more = count > 0 ? [`and ${count} more in Decide or on Checks`] : [];
  return { shown: shared.slice(0, REASONS_SHOWN_MAX), more };
};

const reasonLine = ({ kind, code, record, state, what, effect }: ReadinessReason): string => {
  if (kind === 'check') return `does not hold: ${what}`;
  if (kind === 'gap') return `gap ${code} ${state} ${shownMoney(effect)}: ${what}`;
  if (kind === 'period') return `${code} ${state}: ${what}`;
  const amount = effect === ZERO ? '' : shownChange(effect);
  return `${[kind, code, record, state, amount].filter((word) => word !== '').join(' ')}: ${what}`;
};
