import type { FilingPeriod } from '../../kernel/period.ts';
import { salesOfDays } from './sales-of-days.ts';
import type { Workspace } from './workspace.ts';

/** How many sales of a period are posted to the service, as the exports have them now. */
export const countPosted = async (
  workspace: Workspace,
  period: Pick<FilingPeriod, 'first' | 'last'>,
): Promise<number> => {
  const { sales } = await salesOfDays(workspace, period)
    .select(({ fn }) => fn.countAll<number>().as('sales'))
    .where('posting', '=', 'posted')
    .executeTakeFirstOrThrow();
  return Number(sales);
};
