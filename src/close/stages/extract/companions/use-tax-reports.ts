import type { Money } from '../../../../kernel/money.ts';
import type { Remark } from '../../../sales/sale.ts';
import { reportOf, withReport } from '../../../sales/tax-report.ts';
import { orderRows, unreportedOrders } from '../../../workspace/load-sales.ts';
import { putSales, type SaleWithText, salesByKey } from '../../../workspace/put-sales.ts';
import { saleRow } from '../../../workspace/sale-rows.ts';
import { reportedOrders } from '../../../workspace/tax-reports.ts';
import { type OpenLoad, ownerOf } from '../reading/channel-load.ts';
import type { ReadFile } from '../reading/read-file.ts';
import type { LoadedCompanion } from './load-companion.ts';
import { reportTally } from './report-tally.ts';

/**
 * Give the orders of the channel the taxes by jurisdiction of its tax reports, and compare the two. Only orders that
 * this load has read are changed.
 *
 * @returns what is said of the reports, by the file that it is said of
 */
export const useTaxReports = async (
  load: OpenLoad,
  companions: readonly LoadedCompanion[],
): Promise<ReadonlyMap<ReadFile, readonly Remark[]>> => {
  const report = companions.find(({ kind }) => kind === 'tax-report');
  if (!report) return new Map();
  const { workspace } = load;
  const tally = reportTally();
  for await (const said of reportedOrders(load)) {
    const rows = await orderRows(load, [...said.keys()]);
    const orders = await salesByKey(
      workspace,
      [...rows.values()].map(({ key }) => key),
    );
    const drafts: SaleWithText[] = [];
    for (const [id, lines] of said) {
      const told = reportOf(lines);
      const row = rows.get(id);
      const order = row && orders.get(row.key);
      const used = order && withReport({ order, refunded: row.refunded as Money }, told);
      tally.reported(told, used && { ...used, before: order });
      if (!used || row?.load !== load.number) continue;
      const { refunded, file, controls } = row;
      const more = { refunded: refunded as Money, file, controls };
      drafts.push(saleRow(ownerOf(load), used.order, more));
    }
    await workspace.together((within) => putSales(within, drafts));
  }
  for await (const keys of unreportedOrders(load)) {
    const orders = await salesByKey(workspace, keys);
    for (const order of orders.values()) tally.unreported(order);
  }
  return new Map([[report.file, tally.notices()]]);
};
