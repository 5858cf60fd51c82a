import type { FilingPeriod } from '../../kernel/period.ts';
import type { Workspace } from './workspace.ts';

/** How many sales of a period are posted to the service, as the exports have them now. */
export const countPosted = async (
  { tables, entity }: Workspace,
  { first, last }: Pick<FilingPeriod, 'first' | 'last'>,
): Promise<number> => {
  const { sales } = await tables
    .selectFrom('sale')
    .select(({ fn }) => fn.countAll<number>().as('sales'))
    .where('entity', '=', entity)
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .where('posting', '=', 'posted')
    .executeTakeFirstOrThrow();
  return Number(sales);
};
