import { ZERO } from '../../../kernel/money.ts';
import type { FilingPeriod } from '../../../kernel/period.ts';
import { decisionIndexOf, decisionsOf } from '../../configuration/decisions-of.ts';
import type { Decision } from '../../decisions/decision.ts';
import { setAsidesOf } from '../../periods/rejects-of.ts';
import { applyPolicy } from '../../reconcile/apply-policy.ts';
import { exceptionOfSetAside, exceptionsOfFindings } from '../../reconcile/exceptions.ts';
import { refuseDecisions } from '../../reconcile/refuse-decisions.ts';
import type { ChannelSetAside } from '../../report/write-rejects.ts';
import { bareName, serviceId } from '../../sales/record-id.ts';
import type { Sale } from '../../sales/sale.ts';
import { nameOfKey, nameWithoutChannel } from '../../sales/sale-name.ts';
import { allLocks } from '../../workspace/locks.ts';
import { salesByKey } from '../../workspace/put-sales.ts';
import { doubtfulKeys } from '../../workspace/sale-index.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/**
 * Refuse decisions that contradict each other or do not fit what they are about, as far as the exports show it, before
 * anything is asked or sent. What only a calculation shows is refused after it, or when the books are written.
 *
 * @throws {TieoutError} E_DECISION
 */
export const refuseContradictions = async (
  { configuration, workspace }: Pick<ClosePorts, 'configuration' | 'workspace'>,
  period: FilingPeriod,
): Promise<void> => {
  const decisions = decisionsOfPeriod(configuration, period);
  if (decisions.length === 0 || (await isLocked(workspace, period))) return;
  const named = await salesByKey(workspace, await keysNamed(workspace, period, decisions));
  const asides = await setAsidesOf(workspace, period);
  refuseAmong(configuration, period, { asides, sales: named.values() });
};

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

/** Whether a period is locked: then its decisions are those of its lock, and nothing of it is sent. */
const isLocked = async (workspace: Workspace, { label }: FilingPeriod): Promise<boolean> =>
  (await allLocks(workspace)).some((lock) => lock.label === label && lock.state === 'locked');

/**
 * Returns the keys of sales with findings that these decisions may name. A record that was derived from another begins
 * with its name: `5006-refund`. A decision may name the channel as well: `desk/5006`.
 */
const keysNamed = async (
  workspace: Workspace,
  period: FilingPeriod,
  decisions: readonly Decision[],
): Promise<readonly string[]> => {
  const named = new Set(
    decisions.flatMap(({ records }) =>
      records.flatMap((record) => [record, nameWithoutChannel(record)].map(bareName).map(serviceId)),
    ),
  );
  return (await doubtfulKeys(workspace, period)).filter((key) => {
    const parts = nameOfKey(key).id.split('-');
    return parts.some((_, index) => named.has(parts.slice(0, index + 1).join('-')));
  });
};
