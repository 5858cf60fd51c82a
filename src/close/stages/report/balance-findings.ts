import { type Money, negate, sum, ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { shownMoney } from '../../../kernel/shown-figures.ts';
import { isPayable } from '../../figures/pay-list.ts';
import { returnsDue } from '../../figures/returns-due.ts';
import { loadFilingLaw } from '../../filing-law/load-filing-law.ts';
import { leaversBefore } from '../../periods/balances-taken-over.ts';
import { closingOf } from '../../periods/closing.ts';
import { amendedVersion, lastVersionOf } from '../../periods/last-version.ts';
import { statedBalance } from '../../periods/stated-balances.ts';
import type { TakenOver } from '../../periods/taken-over.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { closingHeads } from '../../workspace/closings.ts';
import type { ClosePorts } from '../run/close-ports.ts';
import { misplacedAmounts } from './misplaced-amounts.ts';
import { unknownBalances } from './unknown-balances.ts';

/** Returns what should be seen of the balances and credits that earlier returns leave. */
export const findingsOfBalances = async (
  ports: Pick<ClosePorts, 'workspace' | 'configuration'>,
  period: FilingPeriod,
  takenOver: TakenOver,
): Promise<readonly DraftException[]> => [
  ...misplacedAmounts(ports.configuration, period),
  ...(await unknownBalances(ports, period, takenOver)),
  ...(await untakenCredits(ports, period)),
];

/**
 * Returns a finding for each state whose return before this one, in any version, ended in a credit, if the registration
 * states no credits of this period: whether such a credit is used or refunded is between the seller and the state.
 */
const untakenCredits = async (
  { workspace, configuration: { registrations } }: Pick<ClosePorts, 'workspace' | 'configuration'>,
  period: FilingPeriod,
): Promise<readonly DraftException[]> => {
  const untaken = registrations.filter((one) => !statedBalance(one, 'credits', period).isStated);
  const leavers = await leaversBefore(workspace, untaken, period);
  const closed = new Set((await closingHeads(workspace)).map(({ period: label }) => label));
  const statesBy = Map.groupBy(
    untaken.map(({ state }) => state),
    (state) => leavers(state).find((label) => closed.has(label)),
  );
  const found = new Map<string, Credit[]>();
  for (const [before, states] of statesBy) {
    const last = before && (await lastVersionOf(workspace, { label: before }));
    for (let version = last; version; version = await amendedVersion(workspace, { label: version })) {
      const report = (await closingOf(workspace, version))?.report;
      const due = report ? returnsDue(loadFilingLaw(), report, untaken) : [];
      for (const { state, key, status, amount } of due)
        if (isPayable({ status }) && amount < ZERO && key === state && states.includes(state))
          found.set(state, [{ version, amount: negate(amount) }, ...(found.get(state) ?? [])]);
    }
  }
  return [...found].map(([state, credits]) => ({
    severity: 'warning',
    code: 'credit-not-taken',
    origin: { file: '', line: 0, record: `US-${state}` },
    message: `the return of ${state} for ${credits.map(({ version }) => version).join(' and ')} ended in a credit of ${shownMoney(sum(credits.map(({ amount }) => amount)))}, which this return does not use`,
    state,
    effect: ZERO,
  }));
};

/** What a version of a return is to get back. */
type Credit = { readonly version: string; readonly amount: Money };
