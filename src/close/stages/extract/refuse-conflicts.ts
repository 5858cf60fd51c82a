import type { TableRow } from '../../sales/files/table-row.ts';
import type { Sale, SetAside } from '../../sales/sale.ts';
import { setAsideRow } from '../../workspace/sale-rows.ts';
import type { SetAsideRow } from '../../workspace/tables.ts';
import { type ChannelLoad, ownerOf, type Tally } from './channel-load.ts';
import { openSales } from './open-sales.ts';
import { knownSales } from './store-batch.ts';

/**
 * An order that came twice in one file with different content is refused in every place, because nobody can tell
 * which one is right. Such orders are rare, so their rows are read a second time instead of being kept.
 */
export const refuseConflicts = async (load: ChannelLoad, conflicts: ReadonlySet<string>): Promise<void> => {
  if (conflicts.size === 0) return;
  const { workspace, channel } = load;
  for (const file of load.sources) {
    const moved: Tally = { rows: 0, used: 0, ignored: 0, rejected: 0 };
    const { records } = await openSales(load, file);
    const refused: SetAsideRow[] = [];
    const known = await knownSales(load, [...conflicts], workspace.tables);
    for await (const { group, record } of records()) {
      if (!('order' in record) || !conflicts.has(record.order.key)) continue;
      const first = known.get(record.order.key);
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
  await workspace.tables
    .deleteFrom('sale')
    .where('entity', '=', workspace.entity)
    .where('key', 'in', [...conflicts])
    .execute();
};

const conflicting = (order: Sale, rows: readonly TableRow[]): SetAside => ({
  outcome: 'rejected',
  origin: order.origin,
  rows,
  businessDate: order.businessDate,
  reason: {
    code: 'conflicting-duplicate',
    message: 'the order stands in the file more than once, with different content',
  },
});
