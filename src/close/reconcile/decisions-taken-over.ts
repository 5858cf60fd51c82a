import type { FilingPeriod } from '../../kernel/period.ts';
import { type Decision, isConfigured } from '../decisions/decision.ts';
import { sameKey } from '../decisions/line-key.ts';
import { causeKey } from './apply-policy.ts';
import type { Exception } from './exceptions.ts';

/**
 * Returns the decisions that an amended version takes over from the version before it, as that was locked. One about a
 * record is limited to the effect that it was made about; one about a cause covers the cause in this version, too.
 * Decisions of the configuration are not among them, since they apply to every period.
 *
 * @param exceptions those of the version before
 * @param period the amended version
 */
export const decisionsTakenOver = (
  exceptions: readonly Exception[],
  period: Pick<FilingPeriod, 'label'>,
): readonly Decision[] =>
  exceptions.flatMap((exception): readonly Decision[] => {
    const { decision, record, effect } = exception;
    if (decision === undefined || isConfigured(decision)) return [];
    const takenOver = { ...decision, period: period.label, isTakenOver: true } as const;
    return decision.cause === ''
      ? [{ ...takenOver, records: [record], effect }]
      : [{ ...takenOver, cause: sameKey(causeKey(exception, period)) }];
  });
