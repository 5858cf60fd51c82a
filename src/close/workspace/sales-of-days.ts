import type { FilingPeriod } from '../../kernel/period.ts';
import { isOf } from './sale-key.ts';
import type { Workspace } from './workspace.ts';

/** The index of the sales that the exports date on some days, of one channel where one is named. */
export const salesOfDays = (
  { tables, entity }: Workspace,
  { first, last }: Pick<FilingPeriod, 'first' | 'last'>,
  channel?: string,
) =>
  tables
    .selectFrom('sale')
    .where('entity', '=', entity)
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .$if(channel !== undefined, (query) => query.where(isOf(channel ?? '')));

/** Whether the exports date any sale on some days. */
export const hasSales = async (...asked: Parameters<typeof salesOfDays>): Promise<boolean> =>
  (await salesOfDays(...asked)
    .select('key')
    .limit(1)
    .executeTakeFirst()) !== undefined;
