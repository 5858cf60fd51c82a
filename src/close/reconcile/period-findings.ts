import { compareText } from '../../kernel/compare-text.ts';
import { type Money, ZERO } from '../../kernel/money.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import type { Decision } from '../decisions/decision.ts';
import type { DecisionIndex } from '../decisions/decision-index.ts';
import { applyPolicy, unmatched } from './apply-policy.ts';
import { inClusters } from './clusters.ts';
import { type DraftException, type Exception, isOpen } from './exceptions.ts';
import type { Materiality } from './materiality.ts';
import { inKeyOrder, type PeriodTotals, withoutSigns } from './period-totals.ts';
import { withReturnedTax } from './returned-tax.ts';

/** Returns the warning that a variance against today's rates proves nothing about an old sale. */
export const ratesOfToday = (period: FilingPeriod, sales: number): DraftException => ({
  severity: 'warning',
  code: 'todays-rates',
  origin: { file: '', line: 0, record: period.label },
  message: `${sales} sales were calculated with the rates of the day on which the service was asked: it does not say that it calculates as of the day of sale`,
  state: '',
  effect: ZERO,
});

/** What decides about the findings of a period beside their decisions. */
type Policy = {
  readonly period: FilingPeriod;
  readonly decisions: DecisionIndex;
  /** The decisions of the files of the period. */
  readonly decided: readonly Decision[];
  readonly totals: PeriodTotals;
  readonly unexplainedTolerance: Money;
  readonly materiality: Materiality;
  /** The states whose returns take the tax collected there. */
  readonly remitting: ReadonlySet<string>;
};

/**
 * Returns the findings of a period with their decisions, those of one cause and place together: policy and decisions
 * are applied here alone.
 *
 * @throws {TieoutError} E_DECISION for a decision that does not fit its finding, or conflicts with another one
 */
export const decidedFindings = (drafts: readonly DraftException[], policy: Policy): readonly Exception[] => {
  const { period, decisions, decided, totals, unexplainedTolerance, materiality, remitting } = policy;
  const returned = withReturnedTax(drafts, remitting, inKeyOrder(totals.states), materiality);
  const findings = applyPolicy(tolerated(returned, totals, unexplainedTolerance), decisions, period);
  return inClusters([...findings, ...unmatched(decided, findings, decisions, period)].sort(bySeverity));
};

/** Turns unexplained variances into warnings if all of them together are within the tolerance of the policy. */
const tolerated = (
  drafts: readonly DraftException[],
  totals: PeriodTotals,
  tolerance: Money,
): readonly DraftException[] => {
  const unexplained = totals.reasons.get('R99');
  if (!unexplained || withoutSigns(unexplained) > tolerance) return drafts;
  return drafts.map((draft) => (draft.code === 'R99' ? { ...draft, severity: 'warning' } : draft));
};

const SEVERITY_ORDER = { error: 0, warning: 1, notice: 2 } as const;

/** Sorts open exceptions first, and unexplained ones first among them. */
const bySeverity = (left: Exception, right: Exception): number =>
  Number(isOpen(right)) - Number(isOpen(left)) ||
  Number(right.code === 'R99') - Number(left.code === 'R99') ||
  SEVERITY_ORDER[left.severity] - SEVERITY_ORDER[right.severity] ||
  compareText(left.code, right.code) ||
  Number(left.standsFor !== undefined) - Number(right.standsFor !== undefined) ||
  compareText(left.origin.file, right.origin.file) ||
  left.origin.line - right.origin.line ||
  compareText(left.origin.record, right.origin.record) ||
  compareText(left.message, right.message) ||
  compareText(left.state, right.state) ||
  left.effect - right.effect;
