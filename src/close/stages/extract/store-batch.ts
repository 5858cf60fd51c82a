import type { RowGroup } from '../../sales/group-rows.ts';
import type { ReadOrder } from '../../sales/read-sale.ts';
import type { TableRow } from '../../sales/read-table.ts';
import { type RefundDate, refundsOf } from '../../sales/refunds.ts';
import type { Sale, SetAside } from '../../sales/sale.ts';
import { saleRow, setAsideRow } from '../../workspace/sale-rows.ts';
import type { SaleRow, SetAsideRow } from '../../workspace/tables.ts';
import type { WorkspaceQueries } from '../../workspace/workspace.ts';
import { type ChannelLoad, ownerOf, type Tally } from './channel-load.ts';

/** Write one batch: each record finds its earlier self by key, and a second place in this load is a duplicate. */
export const storeBatch = async (
  load: ChannelLoad,
  records: readonly (ReadOrder | SetAside)[],
  conflicts: Set<string>,
  tally: Tally,
  groups: readonly RowGroup[],
): Promise<void> => {
  const { workspace } = load;
  const orders = records.filter((record) => 'order' in record);
  await workspace.together(async (tables) => {
    const seen = await seenInLoad(
      load,
      orders.map(({ order }) => order.key),
      tables,
    );
    const dates = await refundDatesOf(
      load,
      orders.map(({ order }) => order.id),
      tables,
    );
    const sales: SaleRow[] = [];
    const asides: SetAsideRow[] = [];
    records.forEach((record, index) => {
      const rows = groups[index]?.rows ?? [];
      tally.rows += rows.length;
      if ('outcome' in record) {
        tally[record.outcome] += rows.length;
        asides.push(setAsideRow(ownerOf(load), record));
        return;
      }
      const row = saleRow(ownerOf(load), record.order);
      const earlier = seen.get(row.key);
      if (earlier === undefined || (earlier.file === row.file && earlier.line === row.line)) {
        seen.set(row.key, row);
        tally.used += rows.length;
        sales.push(
          row,
          ...refundsOf(record, dates.get(record.order.id) ?? [], load.calendar).map((refund) =>
            saleRow(ownerOf(load), refund),
          ),
        );
        return;
      }
      if (earlier.digest !== row.digest) conflicts.add(row.key);
      tally.ignored += rows.length;
      asides.push(setAsideRow(ownerOf(load), duplicate(record.order, rows, earlier)));
    });
    await workspace.upsert('sale', sales, tables);
    await workspace.upsert('set_aside', asides, tables);
  });
};

type Seen = Pick<SaleRow, 'key' | 'digest' | 'file' | 'line'>;

/** The orders with these keys that this load has stored already, and where they stood. */
export const seenInLoad = async (
  load: ChannelLoad,
  keys: readonly string[],
  tables: WorkspaceQueries,
): Promise<Map<string, Seen>> => {
  if (keys.length === 0) return new Map();
  const rows = await tables
    .selectFrom('sale')
    .select(['key', 'digest', 'file', 'line'])
    .where('entity', '=', load.workspace.entity)
    .where('load', '=', load.load)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
};

const refundDatesOf = async (
  load: ChannelLoad,
  ids: readonly string[],
  tables: WorkspaceQueries,
): Promise<Map<string, RefundDate[]>> => {
  const found = new Map<string, RefundDate[]>();
  if (ids.length === 0) return found;
  const rows = await tables
    .selectFrom('refund_date')
    .selectAll()
    .where('entity', '=', load.workspace.entity)
    .where('channel', '=', load.channel.name)
    .where('order_id', 'in', ids)
    .orderBy('instant')
    .orderBy('file')
    .orderBy('line')
    .execute();
  for (const row of rows) found.set(row.order_id, [...(found.get(row.order_id) ?? []), refundDate(row)]);
  return found;
};

export const refundDate = (row: {
  order_id: string;
  instant: number;
  amount: number;
  file: string;
  line: number;
}): RefundDate => ({
  order: row.order_id,
  instant: row.instant as RefundDate['instant'],
  amount: row.amount as RefundDate['amount'],
  origin: { file: row.file, line: row.line, record: row.order_id },
});

const duplicate = (order: Sale, rows: readonly TableRow[], earlier: Seen): SetAside => ({
  outcome: 'ignored',
  origin: order.origin,
  rows,
  businessDate: order.businessDate,
  reason: { code: 'duplicate', message: `the same record stands at ${earlier.file}:${earlier.line}` },
});
