import type { FilingPeriod } from '../../../kernel/period.ts';
import { locksAnsweredBy } from '../../periods/answered-locks.ts';
import { exceptionOfAmendment } from '../../periods/late-exceptions.ts';
import type { DraftException } from '../../reconcile/exceptions.ts';
import { locksOf } from '../../workspace/locks.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Returns exceptions for open amended versions of the locked periods that this close must consider. */
export const openAmendments = async (
  workspace: Workspace,
  period: FilingPeriod,
): Promise<readonly DraftException[]> => {
  const answered = new Set((await locksAnsweredBy(workspace, period)).map(({ label }) => label));
  const locks = await locksOf(workspace);
  return locks.filter((lock) => lock.state === 'open' && answered.has(lock.period)).map(exceptionOfAmendment);
};
