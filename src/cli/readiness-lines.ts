import {
  actionOf,
  type Readiness,
  type ReadinessReason,
  readinessLine,
} from '../close/reconcile/readiness.ts';
import { ZERO } from '../kernel/money.ts';
import { shownChange, shownMoney } from '../kernel/shown-figures.ts';
import { quoted } from './close-options.ts';

/** Reasons shown one by one; the sheet Decide has all that is to decide. */
export const REASONS_SHOWN_MAX = 10;

/**
 * Whether the period can be filed, and what keeps it from that, as a person reads it: what to do stands under the reasons
 * for which it is the same.
 *
 * @param options what names the configuration and the entity in a command
 * @param folder where the books of the period are
 */
export const readinessLines = (readiness: Readiness, options: string, folder: string): readonly string[] => {
  const { reasons, accepted } = readiness;
  const shown = reasons.slice(0, REASONS_SHOWN_MAX);
  return [
    readinessLine(readiness),
    ...[...Map.groupBy(shown, actionOf)].flatMap(([todo, of]) => [
      ...of.map((reason) => `  ${reasonLine(reason)}`),
      `    to do: ${pasteable(todo, { options, folder, record: of.find(({ record }) => record !== '')?.record ?? '' })}`,
    ]),
    ...(reasons.length > REASONS_SHOWN_MAX
      ? [`  and ${reasons.length - REASONS_SHOWN_MAX} more in the sheet Decide of variance.xlsx`]
      : []),
    ...accepted
      .slice(0, REASONS_SHOWN_MAX)
      .map(({ code, state, what, why }) => `  accepted ${code} ${state}: ${what} (${why})`),
  ];
};

/** A to-do whose commands can be run as they are: with the configuration and entity, or the folder and record, that they are about. */
export const pasteable = (
  todo: string,
  { options, folder, record }: { readonly options: string; readonly folder: string; readonly record: string },
): string =>
  todo
    .replace(/`(tieout content suggest [^`]+)`/, (_, command: string) => `\`${command}${options}\``)
    .replace('FOLDER RECORD', () =>
      [folder, record]
        .filter((word) => word !== '')
        .map(quoted)
        .join(' '),
    );

/** A reason in one line. */
export const reasonLine = ({ kind, code, record, state, what, effect }: ReadinessReason): string => {
  if (kind === 'check') return `does not hold: ${what}`;
  if (kind === 'gap') return `gap ${code} ${state} ${shownMoney(effect)}: ${what}`;
  const amount = effect === ZERO ? '' : shownChange(effect);
  return `${[kind, code, record, state, amount].filter((word) => word !== '').join(' ')}: ${what}`;
};
