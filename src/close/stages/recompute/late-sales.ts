import { batchesOf } from '../../../runtime/batches.ts';
import type { LateItem } from '../../periods/late-item.ts';
import { postingOf } from '../../sales/sale.ts';
import { type SalesPage, type StoredSale, slotOfKind } from '../../workspace/sale-page.ts';
import { BATCH_ROWS } from '../../workspace/workspace.ts';

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
