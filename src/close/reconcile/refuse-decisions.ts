import { type Decision, isSameDecision } from '../decisions/decision.ts';
import { decidedTwice, decisionError } from '../decisions/decision-error.ts';
import type { DecisionIndex } from '../decisions/decision-index.ts';
import { VERDICTS } from '../decisions/verdict.ts';
import { verdictsOf, writeOneOf } from './apply-policy.ts';

/**
 * Refuse decisions that contradict each other about a record, and those that fit nothing of their code. Both show before
 * it is known what the decisions are about.
 *
 * @param decisions those of one period, and those of the configuration, which come first
 * @throws {TieoutError} E_DECISION
 */
export const refuseDecisions = (decisions: readonly Decision[], index: DecisionIndex): void => {
  const given = new Set(decisions);
  for (const decision of decisions) {
    refuseUnfit(decision);
    const others = index.ofRecord(decision.records, [decision.code]).filter((one) => given.has(one));
    const other = others.find((one) => isOfOneTax(one, decision) && !isSameDecision(one, decision));
    if (other) throw decidedTwice(other, decision);
  }
};

/** Whether two decisions may be about one tax: what is set by hand is about exactly the tax that it names. */
const isOfOneTax = (one: Decision, other: Decision): boolean =>
  one.tax === undefined || other.tax === undefined || one.tax === other.tax;

const refuseUnfit = ({ verdict, code, records: [record], place, stated }: Decision): void => {
  // What is stated of a record has choices of its own; the close that asks about it knows them.
  if (stated !== undefined) return;
  const fitting = verdictsOf(code);
  if (fitting.includes(verdict)) return;
  const what = record === undefined ? code : `${code} of ${record}`;
  throw decisionError(place, `“${VERDICTS[verdict]}” does not fit ${what}`, writeOneOf(fitting));
};
