import { decisionIndexOf, decisionsOf } from '../close/configuration/decisions-of.ts';
import type { Decision } from '../close/decisions/decision.ts';
import { applyPolicy, refuseDecisions } from '../close/reconcile/apply-policy.ts';
import { exceptionOfSetAside, exceptionsOfFindings } from '../close/reconcile/exceptions.ts';
import type { ChannelSetAside } from '../close/report/files-to-fill-in.ts';
import type { Sale } from '../close/sales/sale.ts';
import { ZERO } from '../kernel/money.ts';
import type { FilingPeriod } from '../kernel/period.ts';
import type { ClosePorts } from '../run/close-ports.ts';

const decisionsOfPeriod = (
  configuration: ClosePorts['configuration'],
  { label }: FilingPeriod,
): readonly Decision[] => decisionsOf(configuration).filter((one) => ['', label].includes(one.period));

/** Refuses the same where a period has these records, sales among them. @throws {TieoutError} E_DECISION */
export const refuseAmong = (
  configuration: ClosePorts['configuration'],
  period: FilingPeriod,
  { asides, sales }: { readonly asides: readonly ChannelSetAside[]; readonly sales: Iterable<Sale> },
): void => {
  const decisions = decisionsOfPeriod(configuration, period);
  if (decisions.length === 0) return;
  const index = decisionIndexOf(configuration);
  refuseDecisions(decisions, index);
  const drafts = asides.map(exceptionOfSetAside);
  for (const sale of sales) {
    if (sale.findings.length === 0) continue;
    const { origin, id: record, channel, shipTo } = sale;
    drafts.push(
      ...exceptionsOfFindings(sale, { origin, record, channel, state: shipTo.state, effect: ZERO }),
    );
  }
  applyPolicy(drafts, index, period);
};
