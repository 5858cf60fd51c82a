import { pagesBy } from '../../database/pages.ts';
import type { ReportedTax } from '../sales/read-tax-report.ts';
import type { OwnLoading } from './loads.ts';
import { put, rowsIn } from './queries.ts';
import { BATCH_ROWS } from './workspace.ts';

const reportRows = ({ workspace, channel }: OwnLoading) =>
  rowsIn(workspace, 'tax_report').where('channel', '=', channel.name);

/** Store what rows of a tax report state of their orders. */
export const keepReported = (
  { workspace, channel }: OwnLoading,
  said: readonly ReportedTax[],
): Promise<void> =>
  put(
    workspace,
    'tax_report',
    said.map((one) => ({
      channel: channel.name,
      file: one.origin.file,
      line: one.origin.line,
      order_id: one.order,
      body: JSON.stringify(one),
    })),
  );

/** Yields what the reports state of each order, by order id, in the order of their files. */
export async function* reportedOrders(
  load: OwnLoading,
): AsyncGenerator<ReadonlyMap<string, readonly ReportedTax[]>> {
  const orders = reportRows(load).select('order_id').distinct();
  for await (const page of pagesBy(orders, ['order_id'], BATCH_ROWS)) {
    const ids = page.map(({ order_id }) => order_id);
    const rows = await reportRows(load)
      .select(['order_id', 'body'])
      .where('order_id', 'in', ids)
      .orderBy('file')
      .orderBy('line')
      .execute();
    const byOrder = Map.groupBy(rows, ({ order_id }) => order_id);
    yield new Map(
      ids.map((id) => [id, (byOrder.get(id) ?? []).map(({ body }) => JSON.parse(body) as ReportedTax)]),
    );
  }
}
