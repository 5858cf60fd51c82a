import type { FilingPeriod } from '../../../kernel/period.ts';
import { decisionIndexOf, decisionsOf } from '../../configuration/decisions-of.ts';
import { type Decision, isSameDecision } from '../../decisions/decision.ts';
import { expectationsIn } from '../../period-sales/expectation-of.ts';
import { isPostedOpen, salesOf } from '../../period-sales/sales-of.ts';
import { applyPolicy } from '../../reconcile/apply-policy.ts';
import { detailRowOf } from '../../reconcile/detail-row.ts';
import { exceptionsOfSale, isGap } from '../../reconcile/exceptions.ts';
import { bareName } from '../../sales/record-id.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { figuresBeforeSending } from './reconcile-sales.ts';

/**
 * Refuse decisions about a record that contradict the one about its whole cause. The cause of a record shows when it is
 * calculated, so this is after the calculations and before anything is sent.
 *
 * @throws {TieoutError} E_DECISION
 */
export const refuseContradictedCauses = async (ports: ClosePorts, period: FilingPeriod): Promise<void> => {
  const { configuration, workspace } = ports;
  const decisions = decisionsOf(configuration).filter((one) => ['', period.label].includes(one.period));
  const doubted = decisions.filter((one) => one.cause === '' && mayContradict(one, decisions));
  if (doubted.length === 0) return;
  const names = new Set(doubted.flatMap(({ records }) => records.map(bareName)));
  const codes = new Set(doubted.map(({ code }) => code));
  const index = decisionIndexOf(configuration);
  for await (const page of salesOf(workspace, period)) {
    const named = page.sales
      .filter(isPostedOpen)
      .filter(({ sale }) => [sale.id, sale.origin.record].some((name) => names.has(bareName(name))));
    if (named.length === 0) continue;
    const expectations = await expectationsIn(workspace, page.slot);
    for (const stored of named) {
      const { sale } = stored;
      const figures = figuresBeforeSending(ports, stored, period, expectations.get(sale.key));
      const row = detailRowOf(sale, 'posted', figures);
      const drafts = exceptionsOfSale(row, sale, [], { period, isDue: true });
      applyPolicy(
        drafts.filter(({ code }) => codes.has(code)),
        index,
        period,
      );
    }
  }
};

/** Whether a decision of a cause may be about the same record, and says something else. */
const mayContradict = (one: Decision, decisions: readonly Decision[]): boolean =>
  decisions.some(
    (other) =>
      other.cause !== '' &&
      (other.code === one.code || (other.code === 'gap' && isGap(one))) &&
      !isSameDecision(one, other),
  );
