import { type Money, subtract, sum, ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { compareText } from '../kernel/text.ts';
import { applyPolicy } from './apply-policy.ts';
import { inClusters } from './clusters.ts';
import type { Decision, DecisionIndex } from './decision.ts';
import { type Finding, finding, isOpen } from './finding.ts';
import { isMaterial, type Materiality, type PeriodTotals, withoutSigns } from './period-totals.ts';
import type { EarlierTax } from './refund-link.ts';

/** Returns the warning that a variance against today's rates proves nothing about an old sale. */
export const ratesOfToday = (period: FilingPeriod, sales: number): Finding =>
  finding(
    'todays-rates',
    `${sales} sales were calculated with the rates of the day on which the service was asked: it does not say that it calculates as of the day of sale`,
    { record: period.label },
  );

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
  /** What was given back for sales of earlier periods. */
  readonly earlierTax: readonly EarlierTax[];
};

/**
 * Returns the findings of a period with their decisions, those of one cause and place together: policy and decisions
 * are applied here alone.
 *
 * @throws {TieoutError} E_DECISION for a decision that does not fit its finding, or conflicts with another one
 */
export const decidedFindings = (drafts: readonly Finding[], policy: Policy): readonly Finding[] => {
  const { period, decisions, decided, totals, unexplainedTolerance } = policy;
  const returned = withReturnedTax(drafts, policy);
  const findings = tolerated(returned, totals, unexplainedTolerance);
  return inClusters(applyPolicy(findings, decided, decisions, period).toSorted(bySeverity));
};

/** Turns unexplained variances into warnings if all of them together are within the tolerance of the policy. */
const tolerated = (
  drafts: readonly Finding[],
  totals: PeriodTotals,
  tolerance: Money,
): readonly Finding[] => {
  const unexplained = totals.reasons.get('R99');
  if (!unexplained || withoutSigns(unexplained) > tolerance) return drafts;
  return drafts.map((draft) => (draft.code === 'R99' ? { ...draft, severity: 'warning' } : draft));
};

const SEVERITY_ORDER = { error: 0, warning: 1, notice: 2 } as const;

/** Sorts open exceptions first, and unexplained ones first among them. */
const bySeverity = (left: Finding, right: Finding): number =>
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

/** The next step for tax that a return takes, although nothing was due. */
export const RETURNED_TODO =
  'Nothing where it is remitted: the return pays the tax collected in the state, or the tax due if that is more. To give it to the customers instead, refund it in the shop, export again and close again.';

/**
 * Marks tax charged without nexus in a state whose return takes the tax collected there, so that it is not to be refunded
 * by default. In a state where no return takes it, it is open if it is material.
 */
const withReturnedTax = (
  drafts: readonly Finding[],
  { remitting, totals, materiality, earlierTax }: Policy,
): readonly Finding[] => {
  const charged = drafts.filter(({ code }) => code === 'R10');
  const ofStates = Map.groupBy(charged, ({ state }) => state);
  const isOnNoReturn = (state: string): boolean => {
    const kept = sum((ofStates.get(state) ?? []).map(({ effect }) => effect));
    const inAll = totals.states.get(state)?.collected ?? ZERO;
    // What was given back for earlier sales takes nothing from what is kept of these.
    const earlier = earlierTax.find((each) => each.state === state)?.tax ?? ZERO;
    const amounts = [kept, inAll].map((amount) => subtract(amount, earlier));
    return amounts.every((amount) => amount > ZERO && isMaterial(amount, ZERO, materiality));
  };
  return drafts.map((draft) => {
    if (draft.code !== 'R10' || draft.effect <= ZERO || draft.reverses) return draft;
    if (remitting.has(draft.state)) return { ...draft, isReturned: true };
    return isOnNoReturn(draft.state) ? { ...draft, severity: 'error' } : draft;
  });
};
