import { join } from 'node:path';
import { openWorkspace } from '../../src/close/workspace/workspace.ts';
import { connect } from '../../src/database/connect.ts';
import { pagesOf } from '../../src/database/pages.ts';
import { batchesOf } from '../../src/runtime/batches.ts';
import { drawOrder } from '../month/draw-order.ts';
import { requestOf } from '../month/shop-tax.ts';
import { inFolder, measured, sizeAsked } from './cost.ts';

/** Rows of a kilobyte into the workspace, a SQLite file on disk, in batches of 1,000, and out again in pages. */
const BATCH = 1_000;
const count = sizeAsked();
const rows = Array.from({ length: count }, (_, index) => {
  const order = drawOrder(index, count);
  return { entity: 'bench', key: `shop/order/${order.number}`, body: JSON.stringify(requestOf(order)) };
});

await inFolder(async (folder) => {
  const database = await connect(`sqlite:${join(folder, 'workspace.db')}`);
  const workspace = await openWorkspace(database, 'bench');
  await measured('store: write', { rows: count, unit: 'rows' }, async () => {
    for (const batch of batchesOf(rows, BATCH)) await workspace.upsert('reconciled', batch);
  });
  await measured('store: read', { rows: count, unit: 'rows' }, async () => {
    const pages = pagesOf<{ readonly key: string }>(BATCH, (after, rowsMax) =>
      workspace.tables
        .selectFrom('reconciled')
        .select(['key', 'body'])
        .where('entity', '=', 'bench')
        .where('key', '>', after?.key ?? '')
        .orderBy('key')
        .limit(rowsMax)
        .execute(),
    );
    for await (const _ of pages);
  });
  await database.close();
});
