import { join } from 'node:path';
import { SALES_OF_PAGE } from '../../src/close/workspace/sale-page.ts';
import { keepPage, readPage } from '../../src/close/workspace/stage-pages.ts';
import { openWorkspace } from '../../src/close/workspace/workspace.ts';
import { connect } from '../../src/database/connect.ts';
import { batchesOf } from '../../src/runtime/batches.ts';
import { drawOrder } from '../month/draw-order.ts';
import { requestOf } from '../month/shop-tax.ts';
import { inFolder, measured, sizeAsked } from './cost.ts';

/** Rows of a kilobyte into pages of the workspace, a SQLite file on disk, and out again. */
const count = sizeAsked();
const rows = Array.from({ length: count }, (_, index) => {
  const order = drawOrder(index, count);
  return { key: `shop/order/${order.number}`, request: requestOf(order) };
});

await inFolder(async (folder) => {
  const database = await connect(`sqlite:${join(folder, 'workspace.db')}`);
  const workspace = await openWorkspace(database, 'bench');
  const pages = [...batchesOf(rows, SALES_OF_PAGE)].map((page, index) => ({ slot: String(index), page }));
  await measured('store: write', { rows: count, unit: 'rows' }, async () => {
    for (const { slot, page } of pages)
      await keepPage(workspace, 'reconciled', slot, { input: '', open: 0, rows: page });
  });
  await measured('store: read', { rows: count, unit: 'rows' }, async () => {
    for (const { slot } of pages) await readPage(workspace, 'reconciled', slot);
  });
  await database.close();
});
