import type { FilingPeriod } from '../../../kernel/period.ts';
import { batchesOf } from '../../../runtime/batches.ts';
import { undecidedFor } from '../../periods/answered-locks.ts';
import type { LateItem } from '../../periods/late-item.ts';
import { postingOf } from '../../sales/sale.ts';
import { type SalesPage, type StoredSale, slotOfKind } from '../../workspace/sale-page.ts';
import { BATCH_ROWS } from '../../workspace/workspace.ts';
import type { ClosePorts } from '../run/close-ports.ts';

/** Returns the sales of late items that are posted, and so have a tax. */
export const lateSales = (items: readonly Pick<LateItem, 'sale' | 'digest'>[]): readonly StoredSale[] =>
  items.flatMap(({ sale, digest }): StoredSale[] =>
    sale && postingOf(sale) === 'posted' ? [{ sale, digest, posting: 'posted' }] : [],
  );

/** Returns the undecided late items of a locked period in pages. */
export const latePages = (locked: string, sales: readonly StoredSale[]): readonly SalesPage[] =>
  [...batchesOf(sales, BATCH_ROWS)].map((page) => ({
    slot: slotOfKind('undecided', locked, page.at(-1)?.sale.key ?? ''),
    sales: page,
  }));

/**
 * Returns the undecided late items that a close of the period would calculate: either to show their effect, or as sales
 * of its own.
 */
export const lateSalesToAsk = async (
  { workspace, configuration }: ClosePorts,
  period: FilingPeriod,
): Promise<{ readonly shown: readonly SalesPage[]; readonly carried: readonly SalesPage[] }> => {
  const { lateItems: policy } = configuration.policy;
  // An amended version is closed separately.
  if (policy === 'amend') return { shown: [], carried: [] };
  const items = Map.groupBy(await undecidedFor(workspace, period), (item) => item.period.label);
  const pages = [...items].flatMap(([locked, each]) => latePages(locked, lateSales(each)));
  return policy === 'ask' ? { shown: pages, carried: [] } : { shown: [], carried: pages };
};
