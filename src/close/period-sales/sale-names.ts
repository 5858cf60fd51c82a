import type { FilingPeriod } from '../../kernel/period.ts';
import { locksOf } from '../workspace/locks.ts';
import { nameOfKey, type SaleName } from '../workspace/sale-key.ts';
import { type OpenSlot, openSlotOf } from '../workspace/sale-page.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { openSales, type PartOfSales, postedSalesOf, slotsOf } from './sales-of.ts';

/** The names of the sales of a page, in the order of their keys. */
export type NamesPage = { readonly slot: string; readonly sales: readonly SaleName[] };

/** The names of what `postedSalesOf` gives, page by page. Those of open days come from the index: no sale is read. */
export async function* postedNamesOf(
  workspace: Workspace,
  period: FilingPeriod,
  part?: Extract<PartOfSales, { readonly slots: readonly string[] }>,
): AsyncGenerator<NamesPage> {
  const hasLocks = (await locksOf(workspace)).length > 0;
  const beside: string[] = [];
  for await (const slot of part?.slots ?? slotsOf(workspace, period)) {
    const open = openSlotOf(slot);
    if (!open) beside.push(slot);
    const sales = open ? await namesIn(workspace, open, hasLocks) : [];
    if (sales.length > 0) yield { slot, sales };
  }
  if (beside.length === 0) return;
  for await (const { slot, sales } of postedSalesOf(workspace, period, { slots: beside }))
    yield { slot, sales: sales.map(({ sale }) => sale) };
}

const namesIn = async (
  workspace: Workspace,
  { day, after, last }: OpenSlot,
  hasLocks: boolean,
): Promise<readonly SaleName[]> => {
  const rows = await openSales(workspace, hasLocks)
    .select('key')
    .where('posting', '=', 'posted')
    // Both bounds of the key within its day, as PostgreSQL needs it. Written as two comparisons, they would have SQLite
    // take the index of keys, and walk through the sales of all other days as well.
    .where('business_date', '=', day)
    .$if(last === '', (query) => query.where('key', '>', after))
    .$if(last !== '', (query) =>
      query.where(({ between }) => between('key', after, last)).where('key', '<>', after),
    )
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => nameOfKey(key));
};
