import { type Readiness, type ReadinessReason, readinessLine } from '../close/reconcile/readiness.ts';
import { shownMoney } from '../kernel/shown-figures.ts';

/** Reasons shown one by one; the sheet Readiness has them all. */
const SHOWN_MAX = 10;

/** Whether the period can be filed, and what keeps it from that, as a person reads it. */
export const readinessLines = (readiness: Readiness): readonly string[] => {
  const { reasons, accepted } = readiness;
  const shown = reasons.slice(0, SHOWN_MAX);
  const todos = [...Map.groupBy(shown, ({ kind, code }) => (kind === 'gap' ? kind : code)).values()];
  return [
    readinessLine(readiness),
    ...shown.map((reason) => `  ${reasonLine(reason)}`),
    ...(reasons.length > SHOWN_MAX
      ? [`  and ${reasons.length - SHOWN_MAX} more in the sheet Readiness of variance.xlsx`]
      : []),
    ...todos.flatMap(([first]) => (first ? [todoLine(first, todos.length > 1)] : [])),
    ...accepted
      .slice(0, SHOWN_MAX)
      .map(({ code, state, what, why }) => `  accepted ${code} ${state}: ${what} (${why})`),
  ];
};

const todoLine = ({ kind, code, todo }: ReadinessReason, isOneOfSeveral: boolean): string =>
  `  to do${isOneOfSeveral ? ` for ${kind === 'gap' ? 'missing rates' : code}` : ''}: ${todo}`;

/** A reason in one line. */
export const reasonLine = ({ kind, code, record, state, what, effect }: ReadinessReason): string => {
  if (kind === 'check') return `does not hold: ${what}`;
  if (kind === 'gap') return `gap ${code} ${state} ${shownMoney(effect)}: ${what}`;
  return `${`${kind} ${code} ${record || state}`.trimEnd()}: ${what}`;
};
