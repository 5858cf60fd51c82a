import { amendedPeriod } from '../../../kernel/amended-version.ts';
import { negate, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownMoney } from '../../../kernel/shown-figures.ts';
import { isPayable } from '../../figures/pay-list.ts';
import { returnsDue } from '../../figures/returns-due.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { closingOf } from '../../periods/closing.ts';
import { lastVersionsBefore } from '../../periods/last-version.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { unknownBalances } from './unknown-balances.ts';

/** Returns what should be seen of the balances and credits that the period before leaves. */
export const findingsOfBalances = async (
  ports: Pick<ClosePorts, 'workspace' | 'configuration'>,
  period: FilingPeriod,
): Promise<readonly DraftException[]> => [
  ...(await unknownBalances(ports, period)),
  ...(await untakenCredits(ports, period)),
];

/**
 * Returns a finding for each state whose return of the period before ended in a credit, if the registration states no
 * credits of this period: whether such a credit is used or refunded is between the seller and the state.
 */
const untakenCredits = async (
  { workspace, configuration: { registrations } }: Pick<ClosePorts, 'workspace' | 'configuration'>,
  period: FilingPeriod,
): Promise<readonly DraftException[]> => {
  const [before] = await lastVersionsBefore(workspace, period, 1);
  const report = before && (await closingOf(workspace, before.label))?.report;
  if (!before || !report) return [];
  const label = amendedPeriod(period.label);
  const known = registrations.filter(({ credits }) => credits.some((row) => row.period === label));
  return returnsDue(loadFilingLaw(), report, registrations)
    .filter((due) => isPayable(due) && due.amount < ZERO && due.key === due.state)
    .filter(({ state }) => !known.some((registration) => registration.state === state))
    .map(
      ({ state, amount }): DraftException => ({
        severity: 'warning',
        code: 'credit-not-taken',
        origin: { file: '', line: 0, record: `US-${state}` },
        message: `the return of ${state} for ${before.label} ended in a credit of ${shownMoney(negate(amount))}, which this return does not use`,
        state,
        effect: ZERO,
      }),
    );
};
