import { refundWithoutOrder } from '../../sales/refunds.ts';
import { saleRow } from '../../workspace/sale-rows.ts';
import { type ChannelLoad, ownerOf } from './channel-load.ts';
import { refundDate } from './store-batch.ts';

/** Repayments whose order is in none of the exports: a refund must never be lost because its order is not at hand. */
export const addRefundsWithoutOrder = async (load: ChannelLoad): Promise<void> => {
  const { workspace, channel, calendar } = load;
  const rows = await workspace.tables
    .selectFrom('refund_date')
    .selectAll()
    .where('entity', '=', workspace.entity)
    .where('channel', '=', channel.name)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sale')
            .select('sale.key')
            .whereRef('sale.entity', '=', 'refund_date.entity')
            .whereRef('sale.channel', '=', 'refund_date.channel')
            .where('sale.kind', '=', 'order')
            .whereRef('sale.id', '=', 'refund_date.order_id'),
        ),
      ),
    )
    .orderBy('order_id')
    .orderBy('instant')
    .execute();
  const counts = new Map<string, number>();
  const refunds = rows.map((row) => {
    const count = (counts.get(row.order_id) ?? 0) + 1;
    counts.set(row.order_id, count);
    return saleRow(ownerOf(load), refundWithoutOrder(channel.name, refundDate(row), count, calendar));
  });
  await workspace.upsert('sale', refunds);
};
