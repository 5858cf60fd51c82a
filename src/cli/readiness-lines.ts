import {
  actionOf,
  type Readiness,
  type ReadinessReason,
  readinessLine,
} from '../close/reconcile/readiness.ts';
import { ZERO } from '../kernel/money.ts';
import { shownChange, shownMoney } from '../kernel/shown-figures.ts';

/** Reasons shown one by one; the sheet Decide has all that is to decide. */
export const REASONS_SHOWN_MAX = 10;

/**
 * Whether the period can be filed, and what keeps it from that, as a person reads it: what to do stands under the reasons
 * for which it is the same.
 *
 * @param options what names the configuration and the entity in a command
 */
export const readinessLines = (readiness: Readiness, options: string): readonly string[] => {
  const { reasons, accepted } = readiness;
  const shown = reasons.slice(0, REASONS_SHOWN_MAX);
  return [
    readinessLine(readiness),
    ...[...Map.groupBy(shown, actionOf)].flatMap(([todo, of]) => [
      ...of.map((reason) => `  ${reasonLine(reason)}`),
      `    to do: ${withOptions(todo, options)}`,
    ]),
    ...(reasons.length > REASONS_SHOWN_MAX
      ? [`  and ${reasons.length - REASONS_SHOWN_MAX} more in the sheet Decide of variance.xlsx`]
      : []),
    ...accepted
      .slice(0, REASONS_SHOWN_MAX)
      .map(({ code, state, what, why }) => `  accepted ${code} ${state}: ${what} (${why})`),
  ];
};

/** A to-do whose command names the configuration and the entity. */
export const withOptions = (todo: string, options: string): string =>
  todo.replace(/`(tieout content suggest [^`]+)`/, `\`$1${options.replaceAll('$', '$$$$')}\``);

/** A reason in one line. */
export const reasonLine = ({ kind, code, record, state, what, effect }: ReadinessReason): string => {
  if (kind === 'check') return `does not hold: ${what}`;
  if (kind === 'gap') return `gap ${code} ${state} ${shownMoney(effect)}: ${what}`;
  const amount = effect === ZERO ? '' : shownChange(effect);
  return `${[kind, code, record, state, amount].filter((word) => word !== '').join(' ')}: ${what}`;
};
