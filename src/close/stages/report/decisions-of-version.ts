import type { FilingPeriod } from '../../../kernel/period.ts';
import { decisionsOf } from '../../configuration/decisions-of.ts';
import type { Decision } from '../../decisions/decision.ts';
import { exceptionsOfClosing } from '../../periods/closing.ts';
import { amendedVersion } from '../../periods/last-version.ts';
import { decisionsTakenOver } from '../../reconcile/decisions-taken-over.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** Returns the decisions that count in a period; in an amended version, with those of the version that it was made of. */
export const decisionsOfVersion = async (
  { configuration, workspace }: Pick<ClosePorts, 'configuration' | 'workspace'>,
  period: FilingPeriod,
): Promise<readonly Decision[]> => {
  const label = await amendedVersion(workspace, period);
  const before = label === undefined ? [] : await exceptionsOfClosing(workspace, label);
  return [...decisionsTakenOver(before, period), ...decisionsOf(configuration)].filter(
    (decision) => decision.period === '' || decision.period === period.label,
  );
};
