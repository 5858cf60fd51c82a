import { add, type Money, negate, subtract, sum, ZERO } from '../../kernel/money.ts';
import { shownChange } from '../../kernel/shown-figures.ts';
import { adjustmentOf, lesser } from '../filing/return/figures.ts';
import type { TaxReturn } from '../filing/return/tax-return.ts';
import type { DecideLine } from '../reconcile/decide-lines.ts';
import { isEffectKnown, isOpen } from '../reconcile/exceptions.ts';
import type { ReadinessReason } from '../reconcile/readiness.ts';
import type { PeriodReport } from './period-report.ts';

/** A sale that is kept out would add its tax; tax that was charged too much could go back, and too little come in. */
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

/** A row that does not state its tax, and a check that differs, could change an amount by anything. */
export const isChangeOpen = (
  { exceptions }: PeriodReport,
  state: string,
  blockers: readonly ReadinessReason[],
): boolean =>
  blockers.some(({ kind }) => kind === 'check') ||
  exceptions.some(
    (exception) => [state, ''].includes(exception.state) && isOpen(exception) && !isEffectKnown(exception),
  );

/** Exemptions that were accepted without a certificate. Where such are taxed, the returns have their tax already. */
export const unprovedIn = ({ reasons }: PeriodReport, lines: readonly DecideLine[]): readonly DecideLine[] =>
  reasons.some(({ code }) => code === 'R08')
    ? []
    : lines.filter(({ band, code, effect }) => band === 'decided' && code === 'R08' && effect !== 0);

/** What the rule of the state is applied to. */
type TaxRule = Pick<TaxReturn, 'basis'> & {
  readonly figures: Pick<TaxReturn['figures'], 'collected' | 'expected'>;
  readonly values: Pick<TaxReturn['values'], 'missing_rates'>;
};

/**
 * What a return would ask for on top if such exemptions were taxed. Their tax would be expected, too, and the rule of the
 * state may take that much already, as tax collected above the tax expected.
 *
 * @param change what waits for a decision: tax that goes back to buyers is collected no more
 */
export const dueWithout = (
  unproved: readonly Pick<DecideLine, 'effect'>[],
  { figures, values, basis }: TaxRule,
  change: Money,
): Money => {
  const tax = negate(sum(unproved.map(({ effect }) => effect)));
  const adjustment = (expected: Money): Money =>
    adjustmentOf(
      { collected: add(figures.collected, lesser(change, ZERO)), expected },
      values.missing_rates,
      basis,
    );
  return add(tax, subtract(adjustment(add(figures.expected, tax)), adjustment(figures.expected)));
};

/** A change of which only a part is known, if any. */
export const openChangeText = (change: Money): string =>
  change === 0 ? 'unknown' : `${shownChange(change)} + unknown`;
