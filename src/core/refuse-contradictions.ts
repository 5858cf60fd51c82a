import { decisionIndexOf, decisionsOf } from '../close/configuration/decisions-of.ts';
import type { Decision } from '../close/decisions/decision.ts';
import { applyPolicy, refuseDecisions } from '../close/reconcile/apply-policy.ts';
import { findingOfSetAside, findingsOfRemarks } from '../close/reconcile/sale-findings.ts';
import { ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import { allSales, type Exports } from '../read/shapes.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { asidesOf } from './report.ts';

const decisionsOfPeriod = (
  configuration: ClosePorts['configuration'],
  { label }: FilingPeriod,
): readonly Decision[] => decisionsOf(configuration).filter((one) => ['', label].includes(one.period));

/** Refuses the same where a period has these records, sales among them. @throws {TieoutError} E_DECISION */
export const refuseAmong = (
  configuration: ClosePorts['configuration'],
  period: FilingPeriod,
  exports: Exports,
): void => {
  const decisions = decisionsOfPeriod(configuration, period);
  if (decisions.length === 0) return;
  const index = decisionIndexOf(configuration);
  refuseDecisions(decisions, index);
  const drafts = asidesOf(exports, period).map(findingOfSetAside);
  for (const sale of allSales(exports, period)) {
    if (sale.findings.length === 0) continue;
    const { origin, id: record, channel, shipTo } = sale;
    drafts.push(...findingsOfRemarks(sale, { origin, record, channel, state: shipTo.state, effect: ZERO }));
  }
  applyPolicy(drafts, [], index, period);
};
