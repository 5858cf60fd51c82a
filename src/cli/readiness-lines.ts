import {
  actionOf,
  type Readiness,
  type ReadinessReason,
  readinessLine,
} from '../close/reconcile/readiness.ts';
import { ZERO } from '../kernel/money.ts';
import { shownChange, shownMoney } from '../kernel/shown-figures.ts';

/** Reasons shown one by one; the sheet Checks has them all. */
const SHOWN_MAX = 10;

/**
 * Whether the period can be filed, and what keeps it from that, as a person reads it.
 *
 * @param options what names the configuration and the entity in a command
 */
export const readinessLines = (readiness: Readiness, options: string): readonly string[] => {
  const { reasons, accepted } = readiness;
  const shown = reasons.slice(0, SHOWN_MAX);
  const todos = [...Map.groupBy(shown, actionOf)];
  return [
    readinessLine(readiness),
    ...shown.map((reason) => `  ${reasonLine(reason)}`),
    ...(reasons.length > SHOWN_MAX
      ? [`  and ${reasons.length - SHOWN_MAX} more in the sheet Checks of variance.xlsx`]
      : []),
    ...todos.map(([todo, of]) => todoLine(withOptions(todo, options), todos.length > 1 ? of : [])),
    ...accepted
      .slice(0, SHOWN_MAX)
      .map(({ code, state, what, why }) => `  accepted ${code} ${state}: ${what} (${why})`),
  ];
};

/** What to do, once for all codes for which it is the same. */
const todoLine = (todo: string, reasons: readonly ReadinessReason[]): string => {
  const names = reasons.map(({ kind, code }) => (kind === 'gap' ? 'missing rates' : code));
  return `  to do${names.length === 0 ? '' : ` for ${[...new Set(names)].join(', ')}`}: ${todo}`;
};

const withOptions = (todo: string, options: string): string =>
  todo.replace(/`(tieout content suggest [^`]+)`/, `\`$1${options.replaceAll('$', '$$$$')}\``);

/** A reason in one line. */
export const reasonLine = ({ kind, code, record, state, what, effect }: ReadinessReason): string => {
  if (kind === 'check') return `does not hold: ${what}`;
  if (kind === 'gap') return `gap ${code} ${state} ${shownMoney(effect)}: ${what}`;
  const amount = effect === ZERO ? '' : shownChange(effect);
  return `${[kind, code, record || state, amount].filter((word) => word !== '').join(' ')}: ${what}`;
};
