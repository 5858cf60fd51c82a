import { readSale } from '../../sales/read-sale.ts';
import type { TableRow } from '../../sales/read-table.ts';
import type { Sale, SetAside } from '../../sales/sale.ts';
import { setAsideRow } from '../../workspace/sale-rows.ts';
import type { SetAsideRow } from '../../workspace/tables.ts';
import { type ChannelLoad, ownerOf, type Tally } from './channel-load.ts';
import { openSales } from './open-sales.ts';
import { seenInLoad } from './store-batch.ts';

/**
 * An order that came twice in one load with different content is refused in every place, because nobody can tell
 * which one is right. Such orders are rare, so their rows are read a second time instead of being kept.
 */
export const refuseConflicts = async (load: ChannelLoad, conflicts: ReadonlySet<string>): Promise<void> => {
  if (conflicts.size === 0) return;
  const { workspace, channel } = load;
  for (const file of load.sources) {
    const moved: Tally = { rows: 0, used: 0, ignored: 0, rejected: 0 };
    const { groups, profile, context, read } = await openSales(load, file);
    const refused: SetAsideRow[] = [];
    const seen = await seenInLoad(load, [...conflicts], workspace.tables);
    for await (const group of groups) {
      const record = readSale(group, profile, read, context);
      if (!('order' in record) || !conflicts.has(record.order.key)) continue;
      const first = seen.get(record.order.key);
      const wasUsed = first?.file === record.order.origin.file && first?.line === record.order.origin.line;
      moved[wasUsed ? 'used' : 'ignored'] += group.rows.length;
      refused.push(setAsideRow(ownerOf(load), conflicting(record.order, group.rows)));
    }
    const rejected = moved.used + moved.ignored;
    await workspace.together(async (tables) => {
      await workspace.upsert('set_aside', refused, tables);
      await tables
        .updateTable('source_file')
        .set((row) => ({
          used: row('used', '-', moved.used),
          ignored: row('ignored', '-', moved.ignored),
          rejected: row('rejected', '+', rejected),
        }))
        .where('entity', '=', workspace.entity)
        .where('channel', '=', channel.name)
        .where('path', '=', file.name)
        .execute();
    });
  }
  for (const key of conflicts) await removeWithRefunds(load, key);
};

/** Take an order out of the workspace with the refunds that were read from it. */
const removeWithRefunds = async ({ workspace }: ChannelLoad, key: string): Promise<void> => {
  const refund = `${key.replace('/order/', '/refund/')}-refund`;
  await workspace.tables
    .deleteFrom('sale')
    .where('entity', '=', workspace.entity)
    .where(({ or, and, eb }) =>
      or([
        eb('key', 'in', [key, refund]),
        // `-` to `.`: everything that begins with the key and a dash, answered from the index.
        and([eb('key', '>', `${refund}-`), eb('key', '<', `${refund}.`)]),
      ]),
    )
    .execute();
};

const conflicting = (order: Sale, rows: readonly TableRow[]): SetAside => ({
  outcome: 'rejected',
  origin: order.origin,
  rows,
  businessDate: order.businessDate,
  reason: {
    code: 'conflicting-duplicate',
    message: 'the order stands in the exports more than once, with different content',
  },
});
