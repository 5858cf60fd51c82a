import type { FilingPeriod } from '../../../kernel/period.ts';
import { decisionIndexOf, decisionsOf } from '../../configuration/decisions-of.ts';
import { type DecisionIndex, decisionIndex } from '../../decisions/decision-index.ts';
import { closingOf } from '../../periods/closing.ts';
import { amendedVersion } from '../../periods/last-version.ts';
import { decisionsTakenOver } from '../../reconcile/decisions-taken-over.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** Returns the decisions that count in a period; in an amended version, with those of the version that it was made of. */
export const decisionsOfVersion = async (
  { configuration, workspace }: Pick<ClosePorts, 'configuration' | 'workspace'>,
  period: FilingPeriod,
): Promise<DecisionIndex> => {
  const label = await amendedVersion(workspace, period);
  const closing = label === undefined ? undefined : await closingOf(workspace, label);
  if (!closing) return decisionIndexOf(configuration);
  return decisionIndex([
    ...decisionsTakenOver(closing.report.exceptions, period),
    ...decisionsOf(configuration),
  ]);
};
