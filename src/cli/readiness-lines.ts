import { type Readiness, type ReadinessReason, readinessLine } from '../close/reconcile/readiness.ts';
import { formatMoney } from '../kernel/money.ts';

/** Reasons shown one by one; the sheet Readiness has them all. */
const SHOWN_MAX = 10;

/** Whether the period can be filed, and what keeps it from that, as a person reads it. */
export const readinessLines = (readiness: Readiness): readonly string[] => {
  const { reasons, accepted } = readiness;
  const gap = reasons.find(({ kind }) => kind === 'gap');
  return [
    readinessLine(readiness),
    ...reasons.slice(0, SHOWN_MAX).map((reason) => `  ${reasonLine(reason)}`),
    ...(reasons.length > SHOWN_MAX
      ? [`  and ${reasons.length - SHOWN_MAX} more in the sheet Readiness`]
      : []),
    ...(gap ? [`  to do: ${gap.todo}`] : []),
    ...accepted
      .slice(0, SHOWN_MAX)
      .map(({ code, state, what, why }) => `  accepted ${code} ${state}: ${what} (${why})`),
  ];
};

/** A reason in one line. */
export const reasonLine = ({ kind, code, record, state, what, effect }: ReadinessReason): string => {
  if (kind === 'check') return `does not hold: ${what}`;
  if (kind === 'gap') return `gap ${code} ${state} ${formatMoney(effect)}: ${what}`;
  return `${`${kind} ${code} ${record || state}`.trimEnd()}: ${what}`;
};
