import type { DecideLine } from '../judge/decide-lines.ts';
import { isEffectKnown, isOpen } from '../judge/finding.ts';
import type { ReadinessReason } from '../judge/readiness.ts';
import { type Money, subtract, sum } from '../kernel/money.ts';
import { shownChange } from '../kernel/text.ts';
import type { PeriodReport } from './period-report.ts';

/**
 * Computes how open decisions could change an amount: a held sale would add its tax, over-collected tax could be
 * refunded, and under-collected tax could be added.
 */
export const changeOf = (
  { exceptions }: PeriodReport,
  state: string,
  blockers: readonly ReadinessReason[],
): Money => {
  const all = sum(blockers.map(({ effect }) => effect));
  const kept = sum(
    exceptions
      .filter((exception) => exception.state === state && exception.held === 'sale' && isOpen(exception))
      .map(({ effect }) => effect),
  );
  return subtract(kept, subtract(all, kept));
};

/** Whether the change could be of any size: a row without its tax is open, or a check fails. */
export const isChangeOpen = (
  { exceptions }: PeriodReport,
  state: string,
  blockers: readonly ReadinessReason[],
): boolean =>
  blockers.some(({ kind }) => kind === 'check') ||
  exceptions.some(
    (exception) => [state, ''].includes(exception.state) && isOpen(exception) && !isEffectKnown(exception),
  );

/**
 * Returns the exemptions accepted without a certificate; none if the policy taxes them, as returns then have their tax.
 */
export const unprovedIn = ({ reasons }: PeriodReport, lines: readonly DecideLine[]): readonly DecideLine[] =>
  reasons.some(({ code }) => code === 'R08')
    ? []
    : lines.filter(({ band, code, effect }) => band === 'decided' && code === 'R08' && effect !== 0);

/** Formats a change of which at most a part is known. */
export const openChangeText = (change: Money): string =>
  change === 0 ? 'unknown' : `${shownChange(change)} + unknown`;
