import type { CalendarDate } from '../../kernel/calendar.ts';
import type { FilingPeriod } from '../../kernel/period.ts';
import { hasKeyIn, rowsIn } from './queries.ts';
import { isOf } from './sale-key.ts';
import type { OpenSlot } from './sale-page.ts';
import type { SaleRow } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** Which sales the exports have, and on which days, without their content. */

type Days = Pick<FilingPeriod, 'first' | 'last'>;

/** Selects index rows of the sales that the exports date on these days, optionally of one channel. */
export const salesOfDays = (workspace: Workspace, { first, last }: Days, channel?: string) =>
  rowsIn(workspace, 'sale')
    .where('business_date', '>=', first)
    .where('business_date', '<=', last)
    .$if(channel !== undefined, (query) => query.where(isOf(channel ?? '')));

/** Returns how many sales the exports date on a day. */
export const countSalesOf = (workspace: Workspace, day: CalendarDate): Promise<number> =>
  counted(salesOfDays(workspace, { first: day, last: day }));

const counted = async (query: ReturnType<typeof salesOfDays>): Promise<number> => {
  const { sales } = await query
    .select(({ fn }) => fn.countAll<number>().as('sales'))
    .executeTakeFirstOrThrow();
  return Number(sales);
};

/**
 * Returns the days of those of these sales that the exports have, and whether they are posted. It does not filter by
 * day, because SQLite would then scan all sales of the days instead of looking up the keys.
 */
export const datedAmong = (
  workspace: Workspace,
  keys: readonly string[],
): Promise<readonly Pick<SaleRow, 'key' | 'business_date' | 'posting'>[]> =>
  rowsIn(workspace, 'sale').select(['key', 'business_date', 'posting']).where('key', 'in', keys).execute();

/** Selects the sales that count as the exports have them now. `hasLocks` says whether some may be filed or carried. */
const openSales = (workspace: Workspace, hasLocks: boolean) =>
  rowsIn(workspace, 'sale')
    // A filed or carried sale counts only where it is filed or carried to, whatever day the exports now give it.
    .$if(hasLocks, (query) =>
      query.where(({ not, or }) =>
        not(or([hasKeyIn('sale', 'filed_sale'), hasKeyIn('sale', 'carried_sale')])),
      ),
    );

/** Returns those of these sales that are neither filed nor carried. */
export const openAmong = async (
  workspace: Workspace,
  keys: readonly string[],
  hasLocks: boolean,
): Promise<ReadonlySet<string>> => {
  const rows = await openSales(workspace, hasLocks).select('key').where('key', 'in', keys).execute();
  return new Set(rows.map(({ key }) => key));
};

/** Returns the keys of the posted open sales of a page, in order. */
export const postedIn = async (
  workspace: Workspace,
  { day, after, last }: OpenSlot,
  hasLocks: boolean,
): Promise<readonly string[]> => {
  const rows = await openSales(workspace, hasLocks)
    .select('key')
    .where('posting', '=', 'posted')
    // PostgreSQL needs both bounds of the key within its day. Written as two comparisons, they would make SQLite use
    // the index of keys and scan the sales of all other days as well.
    .where('business_date', '=', day)
    .$if(last === '', (query) => query.where('key', '>', after))
    .$if(last !== '', (query) =>
      query.where(({ between }) => between('key', after, last)).where('key', '<>', after),
    )
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => key);
};
