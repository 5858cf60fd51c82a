import type { FilingPeriod } from '../../kernel/period.ts';
import { nameOfKey, type SaleName } from '../sales/sale-name.ts';
import { locksOf } from '../workspace/locks.ts';
import { postedIn } from '../workspace/sale-index.ts';
import { type OpenSlot, openSlotOf } from '../workspace/sale-page.ts';
import { salePageAt } from '../workspace/sale-page-rows.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type PartOfSales, postedSalesOf, slotsOf } from './sales-of.ts';

/** The names of the sales of a page, in the order of their keys, and its content as in `SalesPage`. */
export type NamesPage = {
  readonly slot: string;
  readonly content?: string | undefined;
  readonly sales: readonly SaleName[];
};

/**
 * Yields the names of the sales of `postedSalesOf`, page by page. Those of open days come from the index, without
 * reading a sale.
 */
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
    const sales = open ? (await postedIn(workspace, open, hasLocks)).map(nameOfKey) : [];
    if (sales.length === 0) continue;
    yield { slot, content: open && !hasLocks ? await contentOf(workspace, open) : undefined, sales };
  }
  if (beside.length === 0) return;
  for await (const { slot, sales } of postedSalesOf(workspace, period, { slots: beside }))
    yield { slot, sales: sales.map(({ sale }) => sale) };
}

const contentOf = async (workspace: Workspace, slot: OpenSlot): Promise<string | undefined> => {
  const head = await salePageAt(workspace, slot);
  return head?.last === slot.last ? head.content : undefined;
};
